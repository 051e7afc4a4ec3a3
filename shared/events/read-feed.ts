// Reading an environment's feed from a place: what is returned is always the unbroken run of events after it.
import { EngineUnavailable } from '../platform/ports.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import type { EventType } from './event.ts';
import { type FeedEnd, type FeedName, type FeedRow, feedRows, retentionMs } from './feed-rows.ts';
import { firstPageSince } from './first-page.ts';

/** A page, and how many of its events the reader has seen. */
export interface FeedPlace {
  first: number;
  seen: number;
}
export interface FeedQuery {
  /** Without one the reader starts at the earliest event that is kept. */
  after: FeedPlace | undefined;
  limit: number;
  userId?: string | undefined;
  types?: readonly EventType[] | undefined;
}
export interface FeedPage {
  rows: FeedRow[];
  /** Behind the last event this page went past. */
  place: FeedPlace;
  more: boolean;
}

/** What comes after the reader's place is no longer kept; `earliest` is a place from which it can go on. */
export class PlaceExpired extends Error {
  readonly earliest: FeedPlace;
  constructor(earliest: FeedPlace) {
    super('the events after this place are no longer kept');
    this.earliest = earliest;
  }
}

/** A filtered read looks at so many events and then returns what it has, be it nothing. */
const maxScanned = 5_000;
const maxPagesARead = 256;
/** Events that a page has at least, as a guess: reading too many pages at once costs more than reading twice. */
const eventsAPage = 16;

export async function readFeed(deps: Deps, caller: Caller, query: FeedQuery): Promise<FeedPage> {
  const feed = { account: caller.account, env: caller.env };
  const keptSinceMs = deps.clock.now() - retentionMs;
  const found: FeedRow[] = [];
  let place = query.after ?? (await earliestPlace(deps, feed));
  let scanned = 0;
  let pagesARead = Math.max(2, Math.ceil(query.limit / eventsAPage));

  while (scanned < maxScanned) {
    const { pages, end } = await feedRows(deps.store).from(feed, place.first, pagesARead);
    for (const page of pages) {
      const step = stepTo(page, place, keptSinceMs);
      if (step === 'expired') throw new PlaceExpired(await earliestPlace(deps, feed));
      if (step === 'not visible yet') return { rows: found, place, more: true };
      for (const row of page.events.slice(place.seen)) {
        if (found.length === query.limit) return { rows: found, place, more: true };
        place = { first: page.first, seen: place.seen + 1 };
        if (isWanted(row, query)) found.push(row);
      }
      scanned += page.events.length;
      place = { first: page.next, seen: 0 };
    }
    if (end) {
      const step = stepTo(afterEnd(end), place, keptSinceMs);
      if (step === 'expired' || end.next < place.first) throw new PlaceExpired(await earliestPlace(deps, feed));
      return { rows: found, place, more: step === 'not visible yet' };
    }
    pagesARead = Math.min(maxPagesARead, pagesARead * 2);
  }
  return { rows: found, place, more: true };
}

/** A page, or the one that will follow the end. */
interface Step {
  first: number;
  afterMs: number;
  publishedMs?: number;
}

const afterEnd = ({ next, publishedMs }: FeedEnd): Step => ({ first: next, afterMs: publishedMs });

/**
 * A query is no snapshot: of a transaction that is being applied it may show a later page and not the one before. A page
 * that is within retention and not there is therefore on its way, and nothing behind it may be returned before it.
 */
function stepTo(next: Step, place: FeedPlace, keptSinceMs: number): 'next' | 'not visible yet' | 'expired' {
  if (next.publishedMs !== undefined && next.publishedMs < keptSinceMs) return 'expired';
  if (next.first <= place.first) return 'next';
  return next.afterMs >= keptSinceMs ? 'not visible yet' : 'expired';
}

/** Just before the first event that is kept. Pages past their age may still be there in any number. */
export async function earliestPlace(deps: Deps, feed: FeedName): Promise<FeedPlace> {
  const keptSinceMs = deps.clock.now() - retentionMs;
  const page = await firstPageSince(deps, feed, keptSinceMs);
  const found: Step = page ?? afterEnd(await feedRows(deps.store).end(feed));
  if (found.first > 1 && found.afterMs >= keptSinceMs)
    throw new EngineUnavailable('the first page of the feed is not visible yet');
  return { first: found.first, seen: 0 };
}

const isWanted = (row: FeedRow, { userId, types }: FeedQuery): boolean =>
  (userId === undefined || row.user === userId) && (types === undefined || types.includes(row.type));
