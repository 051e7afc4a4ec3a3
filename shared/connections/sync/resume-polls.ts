// Polls of a person who shares again: each connection is due at once, for all days since polling was paused.
import type { Write } from '../../platform/ports.ts';
import { addDays, daysBetween, utcDay } from '../../platform/time/local-day.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import type { DayWindow } from '../../providers/kit/provider-pages.ts';
import type { Deps } from '../../system/deps.ts';
import type { UserRow } from '../../users/user-rows.ts';
import { connectionRows } from '../connection-rows.ts';
import { syncRows } from '../sync-rows.ts';

/** What a note can tell of at most. */
const maxDays = 92;

/** Refused when a connection ends meanwhile. */
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

/** With the days before that every poll reads again, and as far back as the provider tells of; the newest first. */
export function listMissedDays(
  sinceMs: number,
  nowMs: number,
  { historyDays, sync: { rereadDays } }: { historyDays: number; sync: { rereadDays: number } },
): DayWindow[] {
  // A day more on either side: it is another date elsewhere.
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
