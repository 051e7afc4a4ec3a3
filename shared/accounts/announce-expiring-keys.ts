// Tells an environment that its key will expire, two weeks before, and again when little time is left.

import { accountEvent } from '../events/new-event.ts';
import { dayMs } from '../platform/time/local-day.ts';
import { timestamp } from '../platform/time/time.ts';
import type { Deps } from '../system/deps.ts';
import { conditionalCommit } from '../system/store.ts';
import { apiKeyRows } from './api-key-rows.ts';
import type { ApiKeyRow } from './api-key-writes.ts';

/** Days before the end. */
const announcedBefore = [14, 3, 1];
/** More wait for the next time. */
const atOnce = 100;

export const firstAnnouncement = ({ createdMs, expiresMs }: Pick<ApiKeyRow, 'createdMs' | 'expiresMs'>): number =>
  announcementAfter(expiresMs, createdMs) ?? expiresMs;

const announcementAfter = (expiresMs: number, afterMs: number): number | undefined =>
  announcedBefore.map((days) => expiresMs - days * dayMs).find((ms) => ms > afterMs);

/** Each once, whoever else is at it; what was missed for long is said once. One that has ended leaves the index without a word. */
export async function announceExpiringKeys(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  for (const { row, place } of await apiKeyRows(deps.store).toAnnounce(now, atOnce)) {
    const isGood = row.expiresMs > now;
    const more = { key_id: row.id, expires_at: timestamp(row.expiresMs) };
    await conditionalCommit(deps.store, [
      apiKeyRows(deps.store).announced(row, place, isGood ? announcementAfter(row.expiresMs, now) : undefined),
      ...(isGood ? [accountEvent(deps, 'key.expiring', row, more)] : []),
    ]);
  }
}
