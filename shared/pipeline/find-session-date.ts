// Finds the day of a device's session by its source id, so that a deletion notice from the source
// leads to the days that must be read again.
import { type SessionKind, sessionLocationRows } from '../measurements/rows/session-location-rows.ts';
import { type SessionDay, sessionRows } from '../measurements/rows/session-rows.ts';
import type { Store } from '../system/store.ts';

/** Returns undefined when no session with that source id is stored. */
export async function findSessionDate(
  store: Store,
  userId: string,
  deviceOrdinal: number,
  kind: SessionKind,
  sourceId: string,
): Promise<{ date: string } | undefined> {
  const location = (await sessionLocationRows(store).findBySourceIds(userId, deviceOrdinal, kind, [sourceId])).get(
    sourceId,
  );
  if (!location) return undefined;
  const days: Iterable<SessionDay<{ device: number; sourceId?: string | undefined }>> = (
    await sessionRows(store)[kind].readDates(userId, location.dates)
  ).values();
  for (const { date, sessions } of days)
    if (sessions.some((row) => row.device === deviceOrdinal && row.sourceId === sourceId)) return { date };
  return undefined;
}
