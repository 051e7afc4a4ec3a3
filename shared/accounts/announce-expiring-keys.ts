// Announces to an environment that its key will expire: 14, 3 and 1 days before.

import { accountEvent } from '../events/new-event.ts';
import { dayMs } from '../platform/time/local-day.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Deps } from '../system/deps.ts';
import { commitConditionally } from '../system/store.ts';
import { apiKeyRows } from './api-key-rows.ts';
import type { ApiKeyRow } from './api-key-writes.ts';

/** Days before the key expires. */
const announceDaysBefore = [14, 3, 1];
/** Further keys wait for the next run. */
const batchSize = 100;

export const firstAnnouncementMs = ({ createdMs, expiresMs }: Pick<ApiKeyRow, 'createdMs' | 'expiresMs'>): number =>
  nextAnnouncementMs(expiresMs, createdMs) ?? expiresMs;

const nextAnnouncementMs = (expiresMs: number, afterMs: number): number | undefined =>
  announceDaysBefore.map((days) => expiresMs - days * dayMs).find((ms) => ms > afterMs);

/**
 * Each announcement is published once, even with concurrent runs. Several missed announcements
 * become one. A key that has already expired leaves the index without an announcement.
 */
export async function announceExpiringKeys(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  for (const { row, position } of await apiKeyRows(deps.store).listDueForExpiryNotice(now, batchSize)) {
    const isValid = row.expiresMs > now;
    const more = { key_id: row.id, expires_at: formatTimestamp(row.expiresMs) };
    await commitConditionally(deps.store, [
      apiKeyRows(deps.store).buildRecordExpiryNotice(
        row,
        position,
        isValid ? nextAnnouncementMs(row.expiresMs, now) : undefined,
      ),
      ...(isValid ? [accountEvent(deps, 'key.expiring', row, more)] : []),
    ]);
  }
}
