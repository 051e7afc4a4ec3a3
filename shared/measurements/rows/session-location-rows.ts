// Stores on which days a session with a source id may be found. The location is written before the
// session itself, so that the session can be found after any edit that moves it.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { deleteKeys } from '../../platform/large-items.ts';
import type { Key } from '../../platform/ports.ts';
import { keys, sessionLocationsPrefix, userPartition } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';

export type SessionKind = 'sleep' | 'workouts';

export interface SessionLocation {
  sourceId: string;
  /** Every day the session may be on: two while it moves, and possibly some it has left. */
  dates: readonly string[];
}

const SessionLocationItem = z.object({ sk: z.string(), dates: z.array(z.string()) });

/** A source id may have any length and any characters; a key may not. */
const hashSourceId = (sourceId: string): string =>
  createHash('sha256').update(sourceId).digest('base64url').slice(0, 22);

export const sessionLocationRows = repository(({ table }) => {
  const sessionLocationKey = (user: string, device: number, kind: SessionKind, sourceId: string): Key =>
    keys.sessionLocation(user, device, kind, hashSourceId(sourceId));
  return {
    /** Keyed by source id; ids without a location are omitted. */
    async findBySourceIds(
      user: string,
      device: number,
      kind: SessionKind,
      sourceIds: Iterable<string>,
    ): Promise<Map<string, SessionLocation>> {
      const sourceIdBySortKey = new Map(
        Array.from(sourceIds, (id) => [sessionLocationKey(user, device, kind, id).sk, id]),
      );
      if (sourceIdBySortKey.size === 0) return new Map();
      const requestedKeys = Array.from(sourceIdBySortKey.keys(), (sk) => ({ pk: userPartition(user), sk }));
      const items = await table.batchGet(requestedKeys, { consistent: true });
      return new Map(
        items.flatMap((item) => {
          const { sk, dates } = SessionLocationItem.parse(item);
          const sourceId = sourceIdBySortKey.get(sk);
          return sourceId === undefined ? [] : [[sourceId, { sourceId, dates }]];
        }),
      );
    },
    async put(user: string, device: number, kind: SessionKind, locations: readonly SessionLocation[]): Promise<void> {
      if (locations.length === 0) return;
      await table.batchWrite(
        locations.map(({ sourceId, dates }) => ({
          kind: 'put',
          item: { ...sessionLocationKey(user, device, kind, sourceId), dates: [...dates] },
        })),
      );
    },
    /** Deletes the locations of a removed device. */
    async removeByDevice(user: string, device: number): Promise<void> {
      const foundKeys: Key[] = [];
      const rows = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: sessionLocationsPrefix(device) },
        consistent: true,
        only: ['pk', 'sk'],
      });
      for await (const row of rows) foundKeys.push(z.object({ pk: z.string(), sk: z.string() }).parse(row));
      await deleteKeys(table, foundKeys);
    },
  };
});
