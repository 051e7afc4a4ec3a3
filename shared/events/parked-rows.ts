// A feed whose numbering fails is held. Its messages then do not wait in the queue: they park the
// keys of their outbox rows here, in the order in which they arrived. The feed's end carries the
// mark, because every run reads it anyway. Parked rows are pending in the index, too.
import * as z from 'zod';
import { chunkArray } from '../platform/chunk-array.ts';
import type { Item, Key } from '../platform/ports.ts';
import { keys, toSortableTimestamp } from '../system/keys.ts';
import { maxRowsPerFeedJob } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { type FeedName, feedRetentionMs } from './feed-rows.ts';

const Hold = z.object({ failures: z.number(), retryMs: z.number() });
/**
 * How often numbering failed, and from when on any message tries it again. Until then only the
 * message with this turn does.
 */
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
  /** Undefined in the normal case: a clock that was ahead parked rows. */
  async function findParkedAfter({ account, env }: FeedName, nowMs: number): Promise<number | undefined> {
    const { items } = await table.query({
      where: '#pk = :pk AND #sk >= :now',
      values: { pk: keys.parkedRows(account, env, '').pk, now: toSortableTimestamp(nowMs) },
      newestFirst: true,
      limit: 1,
      consistent: true,
    });
    return items[0] && Number.parseInt(String(items[0].sk), 10);
  }
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

    /** Parks rows behind those that are parked, even if this clock is slow. */
    async park(feed: FeedName, rows: readonly Key[], nowMs: number): Promise<void> {
      if (rows.length === 0) return;
      const laterMs = await findParkedAfter(feed, nowMs);
      const parkedMs = laterMs === undefined ? nowMs : laterMs + 1;
      const nameOf = (chunk: readonly Key[], at: number): string =>
        [toSortableTimestamp(parkedMs), String(at).padStart(3, '0'), chunk[0]?.sk, chunk[0]?.pk].join('#');
      // One by one: if a write fails, the message returns, and all its rows are parked once more.
      for (const [at, chunk] of chunkArray(rows, maxRowsPerFeedJob).entries())
        await table.write({
          kind: 'put',
          item: {
            ...keys.parkedRows(feed.account, feed.env, nameOf(chunk, at)),
            rows: chunk.map(({ pk, sk }) => ({ pk, sk })),
            ttl: Math.ceil((nowMs + feedRetentionMs) / 1000),
          },
        });
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
