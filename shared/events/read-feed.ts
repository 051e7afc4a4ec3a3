// Reading an environment's feed from a place: what is returned is always the unbroken run of events after it.
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
  /** Without one the reader starts at the earliest event that is kept. */
  after: FeedPosition | undefined;
  limit: number;
  userId?: string | undefined;
  types?: readonly EventType[] | undefined;
}
export interface FeedPage {
  rows: FeedRow[];
  /** Behind the last event this page went past. */
  position: FeedPosition;
  more: boolean;
}

/** What comes after the reader's place is no longer kept; `earliest` is a place from which it can go on. */
export class FeedPositionExpired extends Error {
  readonly earliest: FeedPosition;
  constructor(earliest: FeedPosition) {
    super('the events after this place are no longer kept');
    this.earliest = earliest;
  }
}

/** A filtered read looks at so many events and then returns what it has, be it nothing. */
const maxScanned = 5_000;
const maxPagesPerRead = 256;
/** Events that a page has at least, as a guess: reading too many pages at once costs more than reading twice. */
const eventsPerPage = 16;

export async function readFeed(deps: Deps, caller: Caller, query: FeedQuery): Promise<FeedPage> {
  const feed = { account: caller.account, env: caller.env };
  const retainedSinceMs = deps.clock.now() - feedRetentionMs;
  const result: FeedRow[] = [];
  let position = query.after ?? (await findEarliestPosition(deps, feed));
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

/** A page, or the one that will follow the end. */
interface FeedStep {
  first: number;
  afterMs: number;
  publishedMs?: number;
}

const stepAfterEnd = ({ next, publishedMs }: FeedEnd): FeedStep => ({ first: next, afterMs: publishedMs });

/**
 * A query is no snapshot: of a transaction that is being applied it may show a later page and not the one before. A page
 * that is within retention and not there is therefore on its way, and nothing behind it may be returned before it.
 */
function checkNextPage(
  next: FeedStep,
  position: FeedPosition,
  retainedSinceMs: number,
): 'next' | 'not visible yet' | 'expired' {
  if (next.publishedMs !== undefined && next.publishedMs < retainedSinceMs) return 'expired';
  if (next.first <= position.first) return 'next';
  return next.afterMs >= retainedSinceMs ? 'not visible yet' : 'expired';
}

/** Just before the first event that is kept. Pages past their age may still be there in any number. */
export async function findEarliestPosition(deps: Deps, feed: FeedName): Promise<FeedPosition> {
  const retainedSinceMs = deps.clock.now() - feedRetentionMs;
  const page = await findFirstPageSince(deps, feed, retainedSinceMs);
  const result: FeedStep = page ?? stepAfterEnd(await feedRows(deps.store).readEnd(feed));
  if (result.first > 1 && result.afterMs >= retainedSinceMs)
    throw new EngineUnavailable('the first page of the feed is not visible yet');
  return { first: result.first, seen: 0 };
}

const matchesQuery = (row: FeedRow, { userId, types }: FeedQuery): boolean =>
  (userId === undefined || row.user === userId) && (types === undefined || types.includes(row.type));
