// An environment's feed: its events under dense numbers, read by place, and the number it ends with.
import * as z from 'zod';
import type { Item, Key } from '../engine/ports.ts';
import type { Environment } from '../model/account.ts';
import { EventDetails, KeptEventType } from '../model/event.ts';
import { feedPartition, keys } from './keys.ts';
import { repository } from './store.ts';

export interface FeedName {
  account: string;
  env: Environment;
}

export const FeedEnd = z.object({
  /** The last number given out; 0 when there is none. */
  seq: z.number().default(0),
  /** When it was given out. */
  publishedMs: z.number().default(0),
});
export type FeedEnd = z.infer<typeof FeedEnd>;

export const FeedRow = z.object({
  seq: z.number(),
  id: z.string(),
  type: KeptEventType,
  atMs: z.number(),
  user: z.string().optional(),
  device: z.string().optional(),
  metrics: z.array(z.string()).optional(),
  more: EventDetails.optional(),
  publishedMs: z.number(),
  /** When the row before was published: tells whether that one is gone by age or only not visible yet. */
  afterMs: z.number(),
});
export type FeedRow = z.infer<typeof FeedRow>;

export const retentionMs = 90 * 24 * 3600 * 1000;
/** A row outlives what is served of it, so that within retention a missing row is never one that was deleted. */
const slackMs = 24 * 3600 * 1000;

export function feedRowItem(
  { account, env }: FeedName,
  row: Omit<FeedRow, 'more'>,
  more: Item | undefined,
): Key & Item {
  return {
    ...keys.feed(account, env, row.seq),
    seq: row.seq,
    id: row.id,
    type: row.type,
    atMs: row.atMs,
    ...(row.user === undefined ? {} : { user: row.user }),
    ...(row.device === undefined ? {} : { device: row.device }),
    ...(row.metrics === undefined ? {} : { metrics: row.metrics }),
    ...(more === undefined ? {} : { more }),
    publishedMs: row.publishedMs,
    afterMs: row.afterMs,
    ttl: Math.ceil((row.publishedMs + retentionMs + slackMs) / 1000),
  };
}

export const feedRows = repository(({ table }) => {
  return {
    /** What stands after a place, in order; with the feed's end where the read came that far. */
    async after(
      { account, env }: FeedName,
      seq: number,
      atMost: number,
    ): Promise<{ rows: FeedRow[]; end: FeedEnd | undefined }> {
      const { items, next } = await table.query({
        where: '#pk = :pk AND #sk > :after',
        values: { pk: feedPartition(account, env), after: keys.feed(account, env, seq).sk },
        limit: atMost,
        consistent: true,
      });
      const endSk = keys.feedEnd(account, env).sk;
      const end = items.find(({ sk }) => sk === endSk);
      return {
        rows: items.filter((item) => item !== end).map((item) => FeedRow.parse(item)),
        end: end || !next ? FeedEnd.parse(end ?? {}) : undefined,
      };
    },
    async at({ account, env }: FeedName, seq: number): Promise<FeedRow | undefined> {
      const item = await table.get(keys.feed(account, env, seq), { consistent: true });
      return item && FeedRow.parse(item);
    },
    async end({ account, env }: FeedName): Promise<FeedEnd> {
      return FeedEnd.parse((await table.get(keys.feedEnd(account, env), { consistent: true })) ?? {});
    },
  };
});
