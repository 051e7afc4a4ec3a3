// Where a session stands that its source has a name for: written before the session stands there, so that it is found again wherever an edit moves it.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { removeKeys } from '../../platform/large-items.ts';
import type { Key } from '../../platform/ports.ts';
import { keys, sessionPlacesOf, userPartition } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';

export type SessionKind = 'sleep' | 'workouts';

export interface SessionPlace {
  sourceId: string;
  /** Every day it may stand on: while it moves two, and some that it has left. */
  dates: readonly string[];
}

const PlaceItem = z.object({ sk: z.string(), dates: z.array(z.string()) });

/** A source's names may have any length and any character; a key may not. */
const nameOf = (sourceId: string): string => createHash('sha256').update(sourceId).digest('base64url').slice(0, 22);

export const sessionPlaces = repository(({ table }) => {
  const keyOf = (user: string, device: number, kind: SessionKind, sourceId: string): Key =>
    keys.sessionPlace(user, device, kind, nameOf(sourceId));
  return {
    /** By the source's name; what never stood anywhere is left out. */
    async of(
      user: string,
      device: number,
      kind: SessionKind,
      sourceIds: Iterable<string>,
    ): Promise<Map<string, SessionPlace>> {
      const idOf = new Map(Array.from(sourceIds, (id) => [keyOf(user, device, kind, id).sk, id]));
      if (idOf.size === 0) return new Map();
      const asked = Array.from(idOf.keys(), (sk) => ({ pk: userPartition(user), sk }));
      const items = await table.batchGet(asked, { consistent: true });
      return new Map(
        items.flatMap((item) => {
          const { sk, dates } = PlaceItem.parse(item);
          const sourceId = idOf.get(sk);
          return sourceId === undefined ? [] : [[sourceId, { sourceId, dates }]];
        }),
      );
    },
    async put(user: string, device: number, kind: SessionKind, places: readonly SessionPlace[]): Promise<void> {
      if (places.length === 0) return;
      await table.batchWrite(
        places.map(({ sourceId, dates }) => ({
          kind: 'put',
          item: { ...keyOf(user, device, kind, sourceId), dates: [...dates] },
        })),
      );
    },
    /** Of a device that is gone. */
    async removeAll(user: string, device: number): Promise<void> {
      const found: Key[] = [];
      const rows = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: sessionPlacesOf(device) },
        consistent: true,
        only: ['pk', 'sk'],
      });
      for await (const row of rows) found.push(z.object({ pk: z.string(), sk: z.string() }).parse(row));
      await removeKeys(table, found);
    },
  };
});
