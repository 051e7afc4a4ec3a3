// An environment's feed: pages of events under dense numbers, and the number that comes next. A page never changes but
// for its due entry, which it has until every endpoint that wants its events has been dealt with.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Write } from '../platform/ports.ts';
import type { Environment } from '../system/caller.ts';
import { feedPartition, keys } from '../system/keys.ts';
import { messageGraceMs, pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { packEvents, unpackEvents } from './event-page.ts';
import type { EventRow } from './event-row.ts';

export interface FeedName {
  account: string;
  env: Environment;
}

const FeedEnd = z.object({
  /** The next number to be given out. */
  next: z.number().default(1),
  /** When the one before it was given out. */
  publishedMs: z.number().default(0),
  /** Counts how often an endpoint caught up with the feed: who numbers must know of it (`webhooks/catch-up.ts`). */
  turn: z.number().default(0),
});
export type FeedEnd = z.infer<typeof FeedEnd>;

const PageItem = z.object({
  sk: z.string(),
  next: z.number(),
  publishedMs: z.number(),
  afterMs: z.number(),
  events: z.instanceof(Uint8Array),
  duePk: z.string().optional(),
});
export interface EventPage {
  first: number;
  /** The first number of the page after it. */
  next: number;
  publishedMs: number;
  /** When the page before was published: says whether that one is gone by age or only not visible yet. */
  afterMs: number;
  /** Whether endpoints may still have to be sent some of it. */
  isPending: boolean;
  events: FeedRow[];
}
/** An event with its number. */
export interface FeedRow extends EventRow {
  seq: number;
}

export const feedRetentionMs = 90 * 24 * 3600 * 1000;
/** A page outlives what is served of it, so that within retention a missing page is never one that was deleted. */
const retentionSlackMs = 24 * 3600 * 1000;
export const maxFeedPageBytes = 16 * 1024;

export interface NewFeedPage {
  events: readonly EventRow[];
  packed: Uint8Array;
  isPending: boolean;
}

export const feedRows = repository(({ table }) => {
  return {
    /**
     * Appends a page; refused when the feed was appended to, or an endpoint caught up with it, since its end was read.
     * The key is the first number: pages of two writers that both read the same end meet there.
     */
    buildAppend({ account, env }: FeedName, end: FeedEnd, page: NewFeedPage, nowMs: number): Write[] {
      const next = end.next + page.events.length;
      // Never earlier than the page before, even if this clock is slow: age then grows along the feed without exception.
      const publishedMs = Math.max(nowMs, end.publishedMs);
      return [
        {
          kind: 'update',
          key: keys.feedEnd(account, env),
          update: 'SET #next = :next, #publishedMs = :published, #turn = :turn',
          condition: end.next === 1 ? 'attribute_not_exists(#pk)' : '#next = :read AND #turn = :turn',
          values: { next, published: publishedMs, turn: end.turn, ...(end.next === 1 ? {} : { read: end.next }) },
        },
        {
          kind: 'put',
          item: {
            ...keys.feedPage(account, env, end.next),
            next,
            publishedMs,
            afterMs: end.publishedMs,
            events: page.packed,
            ttl: Math.ceil((publishedMs + feedRetentionMs + retentionSlackMs) / 1000),
            ...(page.isPending ? pagePendingKeys({ account, env }, end.next, publishedMs + messageGraceMs) : {}),
          },
          condition: 'attribute_not_exists(#pk)',
        },
      ];
    },
    /** In the commit with which an endpoint has caught up: refused when the feed goes on behind what it has seen. */
    buildIncrementTurn: ({ account, env }: FeedName, next: number): Write => ({
      kind: 'update',
      key: keys.feedEnd(account, env),
      update: 'SET #turn = #turn + :one',
      condition: '#next = :next',
      values: { one: 1, next },
    }),

    /** Pages from a number on, which begins one of them; with the feed's end where the read came that far. */
    async readFrom(
      { account, env }: FeedName,
      first: number,
      maxPages: number,
    ): Promise<{ pages: EventPage[]; end: FeedEnd | undefined }> {
      const { items, next } = await table.query({
        where: '#pk = :pk AND #sk >= :first',
        values: { pk: feedPartition(account, env), first: keys.feedPage(account, env, first).sk },
        limit: maxPages + 1,
        consistent: true,
      });
      const endSk = keys.feedEnd(account, env).sk;
      const end = items.find(({ sk }) => sk === endSk);
      return {
        pages: items.filter((item) => item !== end).map(parsePage),
        end: end || !next ? FeedEnd.parse(end ?? {}) : undefined,
      };
    },
    /** The last page that begins at a number or before it. */
    async findPageUpTo({ account, env }: FeedName, number: number): Promise<EventPage | undefined> {
      const { items } = await table.query({
        where: '#pk = :pk AND #sk <= :last',
        values: { pk: feedPartition(account, env), last: keys.feedPage(account, env, number).sk },
        newestFirst: true,
        limit: 1,
        consistent: true,
      });
      return items[0] && parsePage(items[0]);
    },
    async findPage({ account, env }: FeedName, first: number): Promise<EventPage | undefined> {
      const item = await table.get(keys.feedPage(account, env, first), { consistent: true });
      return item && parsePage(item);
    },
    async readEnd({ account, env }: FeedName): Promise<FeedEnd> {
      return parseFeedEnd(await table.get(keys.feedEnd(account, env), { consistent: true }));
    },

    /** Every endpoint has the deliveries of the page that it wants. It costs the page's size, once. */
    async clearPending({ account, env }: FeedName, first: number): Promise<void> {
      await writeConditionally(table, {
        kind: 'update',
        key: keys.feedPage(account, env, first),
        update: 'REMOVE #duePk, #dueSk',
        condition: 'attribute_exists(#duePk)',
      });
    },
    /** The sweep looks at it again then. */
    async postpone(feed: FeedName, first: number, untilMs: number): Promise<void> {
      await writeConditionally(table, {
        kind: 'update',
        key: keys.feedPage(feed.account, feed.env, first),
        update: 'SET #duePk = :duePk, #dueSk = :dueSk',
        condition: 'attribute_exists(#duePk)',
        values: pagePendingKeys(feed, first, untilMs),
      });
    },
  };
});

export const parseFeedEnd = (item: Item | undefined): FeedEnd => FeedEnd.parse(item ?? {});

const pagePendingKeys = ({ account, env }: FeedName, first: number, atMs: number): { duePk: string; dueSk: string } =>
  pendingIndexKeys('deliver', `${account}#${env}#${first}`, atMs);

function parsePage(item: Item): EventPage {
  const { sk, next, publishedMs, afterMs, events, duePk } = PageItem.parse(item);
  const first = Number(sk);
  const rows = unpackEvents(events).map((event, index) => ({ ...event, seq: first + index }));
  return { first, next, publishedMs, afterMs, isPending: duePk !== undefined, events: rows };
}

/** One page of all of them, or as many pages as it takes to have none too large; what belongs together stays so. */
export function splitIntoPages<Together extends { events: readonly EventRow[] }>(
  groups: readonly Together[],
): { groups: Together[]; events: EventRow[]; packed: Uint8Array }[] {
  if (groups.length === 0) return [];
  const events = groups.flatMap((group) => group.events);
  const packed = packEvents(events);
  if (packed.length <= maxFeedPageBytes || groups.length === 1) return [{ groups: [...groups], events, packed }];
  const half = Math.ceil(groups.length / 2);
  return [...splitIntoPages(groups.slice(0, half)), ...splitIntoPages(groups.slice(half))];
}
