// Reads an environment's feed from a position. It always returns the events that directly follow,
// without a gap.
import { EngineUnavailable } from '../platform/ports.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import type { EventType } from './event.ts';
import { type FeedEnd, type FeedName, type FeedRow, feedRetentionMs, feedRows } from './feed-rows.ts';
import { findFirstPageSince } from './find-first-page-since.ts';

/** A page, and how many of its events the reader has seen. */
export interface FeedPosition {
  first: number;
  seen: number;
}
export interface FeedQuery {
  /** If undefined, the reader starts at the earliest retained event, or at `sinceMs`. */
  after: FeedPosition | undefined;
  /** A reader without a position starts with the events that entered the feed from then on. */
  sinceMs?: number | undefined;
  limit: number;
  userId?: string | undefined;
  types?: readonly EventType[] | undefined;
}
export interface FeedPage {
  rows: FeedRow[];
  /** Just after the last event that was scanned for this page. */
  position: FeedPosition;
  more: boolean;
}

/**
 * The events after the reader's position are no longer retained. The reader can continue from
 * `earliest`.
 */
export class FeedPositionExpired extends Error {
  readonly earliest: FeedPosition;
  constructor(earliest: FeedPosition) {
    super('the events after this position are no longer retained');
    this.earliest = earliest;
  }
}

/**
 * A filtered read scans this many events and then returns what it has found, which may be nothing.
 */
const maxScanned = 5_000;
const maxPagesPerRead = 256;
/**
 * An estimate of the fewest events in a page: reading too many pages at once costs more than
 * reading twice.
 */
const eventsPerPage = 16;

export async function readFeed(deps: Deps, caller: Caller, query: FeedQuery): Promise<FeedPage> {
  const feed = { account: caller.account, env: caller.env };
  const retainedSinceMs = deps.clock.now() - feedRetentionMs;
  const result: FeedRow[] = [];
  let position = query.after ?? (await findEarliestPosition(deps, feed, query.sinceMs));
  let scanned = 0;
  let pagesPerRead = Math.max(2, Math.ceil(query.limit / eventsPerPage));

  while (scanned < maxScanned) {
    const { pages, end } = await feedRows(deps.store).readFrom(feed, position.first, pagesPerRead);
    for (const page of pages) {
      const step = checkNextPage(page, position, retainedSinceMs);
      if (step === 'expired') throw new FeedPositionExpired(await findEarliestPosition(deps, feed));
      if (step === 'not visible yet') return { rows: result, position, more: true };
      for (const row of page.events.slice(position.seen)) {
        if (result.length === query.limit) return { rows: result, position, more: true };
        position = { first: page.first, seen: position.seen + 1 };
        if (matchesQuery(row, query)) result.push(row);
      }
      scanned += page.events.length;
      position = { first: page.next, seen: 0 };
    }
    if (end) {
      const step = checkNextPage(stepAfterEnd(end), position, retainedSinceMs);
      if (step === 'expired' || end.next < position.first)
        throw new FeedPositionExpired(await findEarliestPosition(deps, feed));
      return { rows: result, position, more: step === 'not visible yet' };
    }
    pagesPerRead = Math.min(maxPagesPerRead, pagesPerRead * 2);
  }
  return { rows: result, position, more: true };
}

/** A page, or the position after the last page. */
interface FeedStep {
  first: number;
  previousPublishedMs: number;
  publishedMs?: number;
}

const stepAfterEnd = ({ next, publishedMs }: FeedEnd): FeedStep => ({ first: next, previousPublishedMs: publishedMs });

/**
 * A query is not a snapshot: while a transaction is being applied, it may return a later page but
 * not an earlier one. A page that is missing within retention is therefore about to appear, and
 * nothing after it may be returned before it.
 */
function checkNextPage(
  next: FeedStep,
  position: FeedPosition,
  retainedSinceMs: number,
): 'next' | 'not visible yet' | 'expired' {
  if (next.publishedMs !== undefined && next.publishedMs < retainedSinceMs) return 'expired';
  if (next.first <= position.first) return 'next';
  return next.previousPublishedMs >= retainedSinceMs ? 'not visible yet' : 'expired';
}

/**
 * The position just before the first retained event that entered the feed since then. Any number of
 * expired pages may still exist. The end is read before the pages, so that a page that is appended
 * meanwhile begins at the end or after it.
 */
export async function findEarliestPosition(deps: Deps, feed: FeedName, sinceMs = 0): Promise<FeedPosition> {
  const fromMs = Math.max(sinceMs, deps.clock.now() - feedRetentionMs);
  const end = await feedRows(deps.store).readEnd(feed);
  const page = await findFirstPageSince(deps, feed, fromMs, end);
  const result: FeedStep = page ?? stepAfterEnd(end);
  if (result.first > 1 && result.previousPublishedMs >= fromMs)
    throw new EngineUnavailable('the first page of the feed is not visible yet');
  return { first: result.first, seen: 0 };
}

const matchesQuery = (row: FeedRow, { userId, types }: FeedQuery): boolean =>
  (userId === undefined || row.user === userId) && (types === undefined || types.includes(row.type));
