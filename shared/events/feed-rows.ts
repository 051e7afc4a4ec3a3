// Rows of an environment's feed: pages of events with gapless numbers, and the next number. The
// only change to a page is to its due entry, which it has until every subscribed endpoint has its
// deliveries.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Key, Write } from '../platform/ports.ts';
import type { Environment } from '../system/caller.ts';
import { feedPartition, keys } from '../system/keys.ts';
import { messageGraceMs, pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { packEvents, UnknownLayout, unpackEvents } from './event-page.ts';
import type { EventRow } from './event-row.ts';

export interface FeedName {
  account: string;
  env: Environment;
}

const FeedEnd = z.object({
  /** The next number to assign. */
  next: z.number().default(1),
  /** When the previous number was assigned. */
  publishedMs: z.number().default(0),
  /**
   * Counts how often an endpoint caught up with the feed, so that the numbering run notices
   * (`webhooks/catch-up.ts`).
   */
  catchUps: z.number().default(0),
  /** What the feed's writer has counted since the environment exists. */
  uploads: z.number().default(0),
  records: z.number().default(0),
  deliveries: z.number().default(0),
});
export type FeedEnd = z.infer<typeof FeedEnd>;

const PageHeaderItem = z.object({
  sk: z.string(),
  next: z.number(),
  publishedMs: z.number(),
  previousPublishedMs: z.number(),
  duePk: z.string().optional(),
});
const PackedEvents = z.instanceof(Uint8Array);
/** A page without its events. */
export interface PageHeader {
  first: number;
  /** The first number of the next page. */
  next: number;
  publishedMs: number;
  /**
   * When the previous page was published. It shows whether that page has expired or is only not
   * visible yet.
   */
  previousPublishedMs: number;
  /** Whether some endpoints may still need deliveries for the page. */
  isPending: boolean;
}
export interface EventPage extends PageHeader {
  events: FeedRow[];
}
/** A page of a layout that only a newer release can read. */
export interface NewerPage extends PageHeader {
  events: undefined;
}
/** An event with its number. */
export interface FeedRow extends EventRow {
  seq: number;
}

export const feedRetentionMs = 90 * 24 * 3600 * 1000;
/**
 * A page is stored longer than it is served, so a page that is missing within retention was never
 * deleted.
 */
const retentionSlackMs = 24 * 3600 * 1000;
export const maxFeedPageBytes = 16 * 1024;

/** What the page's outbox rows count, and how many deliveries its events need. */
export type FeedCounts = Pick<FeedEnd, 'uploads' | 'records' | 'deliveries'>;

export interface NewFeedPage {
  events: readonly EventRow[];
  packed: Uint8Array;
  isPending: boolean;
  counts: FeedCounts;
}

export const feedRows = repository(({ table }) => {
  async function queryFrom({ account, env }: FeedName, first: number, maxPages: number) {
    const { items, next } = await table.query({
      where: '#pk = :pk AND #sk >= :first',
      values: { pk: feedPartition(account, env), first: keys.feedPage(account, env, first).sk },
      limit: maxPages + 1,
      consistent: true,
    });
    const endSk = keys.feedEnd(account, env).sk;
    const end = items.find(({ sk }) => sk === endSk);
    return {
      items: items.filter((item) => item !== end),
      end: end || !next ? FeedEnd.parse(end ?? {}) : undefined,
    };
  }

  return {
    /**
     * Appends a page. Fails if the feed was appended to, or an endpoint caught up with it, since
     * its end was read. The key is the first number, so pages of two writers that read the same end
     * conflict there.
     */
    buildAppend({ account, env }: FeedName, end: FeedEnd, page: NewFeedPage, nowMs: number): Write[] {
      const next = end.next + page.events.length;
      // Never earlier than the previous page, even if this clock is slow, so that times never
      // decrease along the feed.
      const publishedMs = Math.max(nowMs, end.publishedMs);
      return [
        {
          kind: 'update',
          key: keys.feedEnd(account, env),
          update:
            'SET #next = :next, #publishedMs = :published, #catchUps = :catchUps, ' +
            '#uploads = :uploads, #records = :records, #deliveries = :deliveries',
          condition: end.next === 1 ? 'attribute_not_exists(#next)' : '#next = :read AND #catchUps = :catchUps',
          values: {
            next,
            published: publishedMs,
            catchUps: end.catchUps,
            uploads: end.uploads + page.counts.uploads,
            records: end.records + page.counts.records,
            deliveries: end.deliveries + page.counts.deliveries,
            ...(end.next === 1 ? {} : { read: end.next }),
          },
        },
        {
          kind: 'put',
          item: {
            ...keys.feedPage(account, env, end.next),
            next,
            publishedMs,
            previousPublishedMs: end.publishedMs,
            events: page.packed,
            ttl: Math.ceil((publishedMs + feedRetentionMs + retentionSlackMs) / 1000),
            ...(page.isPending ? pagePendingKeys({ account, env }, end.next, publishedMs + messageGraceMs) : {}),
          },
          condition: 'attribute_not_exists(#pk)',
        },
      ];
    },
    /**
     * Part of the commit in which an endpoint catches up. Fails if the feed has pages beyond the
     * ones the endpoint has seen.
     */
    buildCountCatchUp: ({ account, env }: FeedName, next: number): Write => ({
      kind: 'update',
      key: keys.feedEnd(account, env),
      update: 'SET #catchUps = #catchUps + :one',
      condition: '#next = :next',
      values: { one: 1, next },
    }),

    /**
     * Reads pages from `first` on, which must be the first number of a page. Includes the feed's
     * end if the read reached it.
     */
    async readFrom(
      feed: FeedName,
      first: number,
      maxPages: number,
    ): Promise<{ pages: EventPage[]; end: FeedEnd | undefined }> {
      const { items, end } = await queryFrom(feed, first, maxPages);
      return { pages: items.map(parsePage), end };
    },
    /** The same without the events, which may be unreadable. */
    async readHeadersFrom(
      feed: FeedName,
      first: number,
      maxPages: number,
    ): Promise<{ pages: PageHeader[]; end: FeedEnd | undefined }> {
      const { items, end } = await queryFrom(feed, first, maxPages);
      return { pages: items.map(parseHeader), end };
    },
    /**
     * The same for those who must go on: damaged pages are left out, and named. The next read
     * starts at `next`, even if every page is damaged.
     */
    async readReadableFrom(
      feed: FeedName,
      first: number,
      maxPages: number,
    ): Promise<{ pages: (EventPage | NewerPage)[]; end: FeedEnd | undefined; damaged: Key[]; next: number }> {
      const { items, end } = await queryFrom(feed, first, maxPages);
      const pages: (EventPage | NewerPage)[] = [];
      const damaged: Key[] = [];
      for (const item of items)
        try {
          pages.push(parseKnownPage(item));
        } catch {
          damaged.push({ pk: String(item['pk']), sk: String(item['sk']) });
        }
      const last = items.at(-1);
      return { pages, end, damaged, next: last ? Number(last['sk']) + 1 : first };
    },
    /** The last page that starts at or before the number. */
    async findHeaderUpTo({ account, env }: FeedName, number: number): Promise<PageHeader | undefined> {
      const { items } = await table.query({
        where: '#pk = :pk AND #sk <= :last',
        values: { pk: feedPartition(account, env), last: keys.feedPage(account, env, number).sk },
        newestFirst: true,
        limit: 1,
        consistent: true,
      });
      return items[0] && parseHeader(items[0]);
    },
    async findPage({ account, env }: FeedName, first: number): Promise<EventPage | undefined> {
      const item = await table.get(keys.feedPage(account, env, first), { consistent: true });
      return item && parsePage(item);
    },
    async readEnd({ account, env }: FeedName): Promise<FeedEnd> {
      return parseFeedEnd(await table.get(keys.feedEnd(account, env), { consistent: true }));
    },

    /**
     * Called once every subscribed endpoint has its deliveries of the page. The write costs the
     * size of the page, once.
     */
    async clearPending({ account, env }: FeedName, first: number): Promise<void> {
      await writeConditionally(table, {
        kind: 'update',
        key: keys.feedPage(account, env, first),
        update: 'REMOVE #duePk, #dueSk',
        condition: 'attribute_exists(#duePk)',
      });
    },
    /** The sweep checks the page again at `untilMs`. */
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

function parseHeader(item: Item): PageHeader {
  const { sk, next, publishedMs, previousPublishedMs, duePk } = PageHeaderItem.parse(item);
  return { first: Number(sk), next, publishedMs, previousPublishedMs, isPending: duePk !== undefined };
}

function parsePage(item: Item): EventPage {
  const header = parseHeader(item);
  const events = unpackEvents(PackedEvents.parse(item['events']));
  return { ...header, events: events.map((event, index) => ({ ...event, seq: header.first + index })) };
}

function parseKnownPage(item: Item): EventPage | NewerPage {
  try {
    return parsePage(item);
  } catch (error) {
    if (error instanceof UnknownLayout) return { ...parseHeader(item), events: undefined };
    throw error;
  }
}

/**
 * Packs all events into one page, or into as many as needed so that none is too large. Events of a
 * group stay together.
 */
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
