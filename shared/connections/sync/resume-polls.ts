// Resumes polling for a user who shares again: each connection is due at once, for all days since
// polling was paused.
import type { Write } from '../../platform/ports.ts';
import { addDays, daysBetween, utcDay } from '../../platform/time/local-day.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import type { DayWindow } from '../../providers/kit/provider-pages.ts';
import type { Deps } from '../../system/deps.ts';
import type { UserRow } from '../../users/user-rows.ts';
import { connectionRows } from '../connection-rows.ts';
import { syncRows } from '../sync-rows.ts';

/** The maximum number of days that one notification can cover. */
const maxDays = 92;

/** The writes fail when a connection ends in the meantime. */
export async function buildResumePollWrites({ store, clock }: Deps, { id, unshared }: UserRow): Promise<Write[]> {
  if (!unshared) return [];
  const nowMs = clock.now();
  const connections = (await connectionRows(store).listByUser(id)).filter(({ status }) => status === 'active');
  return connections.map((row) => {
    const days = listMissedDays(unshared.sinceMs, nowMs, providerDescriptors[row.provider]);
    return syncRows(store).buildResume(
      row,
      days.map((window) => ({ what: 'days', ...window })),
      nowMs,
    );
  });
}

/**
 * Includes the days before the pause that every poll reads again, and goes back no further than the
 * provider's history. Newest first.
 */
export function listMissedDays(
  sinceMs: number,
  nowMs: number,
  { historyDays, sync: { rereadDays } }: { historyDays: number; sync: { rereadDays: number } },
): DayWindow[] {
  // Add a day on either side, because the date differs between time zones.
  const today = addDays(utcDay(nowMs), 1);
  const paused = addDays(utcDay(sinceMs), -rereadDays - 1);
  const oldest = addDays(today, -historyDays);
  const first = paused < oldest ? oldest : paused;
  const windows: DayWindow[] = [];
  for (let to = today; to >= first; to = addDays(to, -maxDays)) {
    const from = daysBetween(first, to) < maxDays ? first : addDays(to, 1 - maxDays);
    windows.push({ from, to });
  }
  return windows;
}
