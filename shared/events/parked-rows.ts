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

/** How often numbering failed, and how often a run did not end, since a page was last appended. */
const Attempts = z.object({ failures: z.number(), crashes: z.number() });
const Hold = Attempts.extend({
  /** From when on any message tries again. Until then only the message with this turn does. */
  retryMs: z.number(),
  /** The feed's next number. */
  next: z.number().catch(0),
});
export type Hold = z.infer<typeof Hold>;
const StoredHold = Hold.extend({ stuckAt: z.number() }).transform(
  ({ stuckAt, ...hold }): Hold => (hold.next === stuckAt ? hold : { ...hold, ...noAttempts }),
);
export const noAttempts: z.infer<typeof Attempts> = { failures: 0, crashes: 0 };

const RowKey = z.object({ pk: z.string(), sk: z.string() });
const ParkedChunk = RowKey.extend({
  rows: z.array(RowKey),
  ttl: z.number(),
  isAlone: z.boolean().optional(),
  isLastTry: z.boolean().optional(),
});
/** The rows of one message, or a single one that is numbered alone. */
export type ParkedChunk = z.infer<typeof ParkedChunk>;

/** Reads only the mark: numbering may fail because the rest cannot be parsed. */
export const parseHold = (end: Item | undefined): Hold | undefined => StoredHold.safeParse(end).data;

export const parkedRows = repository(({ table }) => {
  const endKey = ({ account, env }: FeedName): Key => keys.feedEnd(account, env);
  async function remove(chunks: readonly ParkedChunk[]): Promise<void> {
    await table.batchWrite(chunks.map(({ pk, sk }) => ({ kind: 'delete', key: { pk, sk } })));
  }
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
    /** Returns the hold as it is then: other attempts than those since the last page do not count. */
    async saveHold(feed: FeedName, { failures, crashes, retryMs, next }: Hold): Promise<Hold> {
      const update = 'SET #failures = :failures, #crashes = :crashes, #retryMs = :retryMs, #stuckAt = :stuckAt';
      const values = { failures, crashes, retryMs, stuckAt: next };
      return StoredHold.parse(await table.write({ kind: 'update', key: endKey(feed), update, values }));
    },
    async release(feed: FeedName): Promise<void> {
      await table.write({
        kind: 'update',
        key: endKey(feed),
        update: 'REMOVE #failures, #crashes, #retryMs, #stuckAt',
      });
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
    /** The oldest chunks. */
    async listFirst({ account, env }: FeedName, limit: number): Promise<ParkedChunk[]> {
      const { pk } = keys.parkedRows(account, env, '');
      const { items } = await table.query({ where: '#pk = :pk', values: { pk }, limit, consistent: true });
      return items.map((item) => ParkedChunk.parse(item));
    },
    remove,
    /** From now on, each of the rows is numbered alone. They keep their place. */
    async split(chunk: ParkedChunk): Promise<void> {
      const alone = chunk.rows.map((row, at) => ({
        ...{ pk: chunk.pk, sk: `${chunk.sk}#${String(at).padStart(3, '0')}` },
        ...{ rows: [row], ttl: chunk.ttl, isAlone: true },
      }));
      await table.batchWrite(alone.map((item) => ({ kind: 'put', item })));
      await remove([chunk]);
    },
    /** If the next run still finds the chunk, the last try has failed. */
    async markLastTry({ pk, sk }: ParkedChunk): Promise<void> {
      const update = 'SET #isLastTry = :yes';
      await table.write({ kind: 'update', key: { pk, sk }, update, values: { yes: true } });
    },
  };
});
