// A feed whose numbering fails is held. Its messages then do not wait in the queue: they park the
// keys of their outbox rows here, in the order in which they arrived. The feed's end carries the
// mark, because every run reads it anyway. Parked rows are pending in the index, too.
import * as z from 'zod';
import { chunkArray } from '../platform/chunk-array.ts';
import type { Item, Key } from '../platform/ports.ts';
import { keys, toSortableTimestamp } from '../system/keys.ts';
import { maxRowsPerFeedJob } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import type { FeedName } from './feed-rows.ts';

const Hold = z.object({ failures: z.number(), retryMs: z.number() });
/** How often numbering failed, and from when on it is tried again. */
export type Hold = z.infer<typeof Hold>;

const RowKey = z.object({ pk: z.string(), sk: z.string() });
const Parcel = RowKey.extend({ rows: z.array(RowKey) });
/** The rows of one message. */
export interface Parcel {
  key: Key;
  rows: Key[];
}

/** Reads only the mark: numbering may fail because the rest cannot be parsed. */
export const parseHold = (end: Item | undefined): Hold | undefined => Hold.safeParse(end).data;

export const parkedRows = repository(({ table }) => {
  const endKey = ({ account, env }: FeedName): Key => keys.feedEnd(account, env);
  return {
    async findHold(feed: FeedName): Promise<Hold | undefined> {
      return parseHold(await table.get(endKey(feed), { consistent: true }));
    },
    /** Returns those of the feeds that are held. */
    async listHeld(feeds: readonly FeedName[]): Promise<FeedName[]> {
      const ends = await table.batchGet(feeds.map(endKey));
      const held = new Set(ends.filter((end) => parseHold(end) !== undefined).map(({ pk }) => pk));
      return feeds.filter((feed) => held.has(endKey(feed).pk));
    },
    async saveHold(feed: FeedName, hold: Hold): Promise<void> {
      const update = 'SET #failures = :failures, #retryMs = :retryMs';
      await table.write({ kind: 'update', key: endKey(feed), update, values: { ...hold } });
    },
    async release(feed: FeedName): Promise<void> {
      await table.write({ kind: 'update', key: endKey(feed), update: 'REMOVE #failures, #retryMs' });
    },

    async park({ account, env }: FeedName, rows: readonly Key[], nowMs: number): Promise<void> {
      // A repeated message overwrites its own rows at most.
      const nameOf = (chunk: readonly Key[], at: number): string =>
        [toSortableTimestamp(nowMs), String(at).padStart(3, '0'), chunk[0]?.sk, chunk[0]?.pk].join('#');
      const parcels = chunkArray(rows, maxRowsPerFeedJob).map((chunk, at) => ({
        ...keys.parkedRows(account, env, nameOf(chunk, at)),
        rows: chunk.map(({ pk, sk }) => ({ pk, sk })),
      }));
      await table.batchWrite(parcels.map((item) => ({ kind: 'put', item })));
    },
    /** The oldest parcels. */
    async listFirst({ account, env }: FeedName, limit: number): Promise<Parcel[]> {
      const { pk } = keys.parkedRows(account, env, '');
      const { items } = await table.query({ where: '#pk = :pk', values: { pk }, limit, consistent: true });
      return items.map((item) => {
        const { pk: partition, sk, rows } = Parcel.parse(item);
        return { key: { pk: partition, sk }, rows };
      });
    },
    async remove(parcels: readonly Parcel[]): Promise<void> {
      await table.batchWrite(parcels.map(({ key }) => ({ kind: 'delete', key })));
    },
  };
});
