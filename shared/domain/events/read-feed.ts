// Reading an environment's feed from a place: what is told is always the unbroken run of numbers after it.
import { EngineUnavailable } from '../../engine/ports.ts';
import type { Caller } from '../../model/account.ts';
import type { EventType } from '../../model/event.ts';
import { type FeedEnd, type FeedName, type FeedRow, feedRows, retentionMs } from '../../store/feed.ts';
import type { Deps } from '../deps.ts';

export interface FeedQuery {
  /** The number of the last event the reader has seen; without one it starts at the earliest that is kept. */
  after: number | undefined;
  limit: number;
  userId?: string | undefined;
  types?: readonly EventType[] | undefined;
}
export interface FeedPage {
  rows: FeedRow[];
  /** The number of the last event this page went past. */
  place: number;
  more: boolean;
}

/** What comes after the reader's place is no longer kept; `earliest` is a place from which it can go on. */
export class PlaceExpired extends Error {
  readonly earliest: number;
  constructor(earliest: number) {
    super('the events after this place are no longer kept');
    this.earliest = earliest;
  }
}

/** A filtered read looks at so much and then returns what it has, be it nothing. */
const mostReads = 5;
const rowsPerFilteredRead = 1000;

export async function readFeed(deps: Deps, caller: Caller, query: FeedQuery): Promise<FeedPage> {
  const feed = { account: caller.account, env: caller.env };
  const keptSinceMs = deps.clock.now() - retentionMs;
  const filtered = query.userId !== undefined || query.types !== undefined;
  const found: FeedRow[] = [];
  let place = query.after ?? (await earliestPlace(deps, feed, keptSinceMs));

  for (let reads = 1; reads <= mostReads; reads++) {
    const wanted = filtered ? rowsPerFilteredRead : query.limit + 1 - found.length;
    const { rows, end } = await feedRows(deps.store).after(feed, place, wanted);
    for (const row of rows) {
      const step = stepTo(row, place, keptSinceMs);
      if (step === 'expired') throw new PlaceExpired(await earliestPlace(deps, feed, keptSinceMs));
      if (step === 'not visible yet' || found.length === query.limit) return { rows: found, place, more: true };
      place = row.seq;
      if (isWanted(row, query)) found.push(row);
    }
    if (end) {
      const step = stepTo(afterEnd(end), place, keptSinceMs);
      if (step === 'expired') throw new PlaceExpired(await earliestPlace(deps, feed, keptSinceMs));
      return { rows: found, place, more: step === 'not visible yet' };
    }
  }
  return { rows: found, place, more: true };
}

/** A place in the feed: a row, or the one that will follow the end. */
interface FeedPosition {
  seq: number;
  afterMs: number;
  publishedMs?: number;
}

const afterEnd = ({ seq, publishedMs }: FeedEnd): FeedPosition => ({ seq: seq + 1, afterMs: publishedMs });

/**
 * A query is no snapshot: of a transaction that is being applied it may show a later row and not the one before. A row that is within
 * retention and not there is therefore on its way, and nothing behind it may be told before it.
 */
function stepTo(next: FeedPosition, place: number, keptSinceMs: number): 'next' | 'not visible yet' | 'expired' {
  if (next.publishedMs !== undefined && next.publishedMs < keptSinceMs) return 'expired';
  if (next.seq <= place + 1) return 'next';
  return next.afterMs >= keptSinceMs ? 'not visible yet' : 'expired';
}

/** Just before the first event that is kept. Rows past their age may still be there in any number: the first younger one is found by halving. */
async function earliestPlace(deps: Deps, feed: FeedName, keptSinceMs: number): Promise<number> {
  const { rows, end: seen } = await feedRows(deps.store).after(feed, 0, 1);
  const [first] = rows;
  const found: FeedPosition = first ?? afterEnd(seen ?? (await feedRows(deps.store).end(feed)));
  const earliest = first && first.publishedMs < keptSinceMs ? await firstKept(deps, feed, first, keptSinceMs) : found;
  if (earliest.seq > 1 && earliest.afterMs >= keptSinceMs)
    throw new EngineUnavailable('the first event of the feed is not visible yet');
  return earliest.seq - 1;
}

async function firstKept(deps: Deps, feed: FeedName, first: FeedRow, keptSinceMs: number): Promise<FeedPosition> {
  const end = await feedRows(deps.store).end(feed);
  let kept = afterEnd(end);
  for (let old = first.seq; kept.seq - old > 1; ) {
    const middle = Math.floor((old + kept.seq) / 2);
    const row = await feedRows(deps.store).at(feed, middle);
    if (row && row.publishedMs >= keptSinceMs) kept = row;
    else old = middle;
  }
  return kept;
}

const isWanted = (row: FeedRow, { userId, types }: FeedQuery): boolean =>
  (userId === undefined || row.user === userId) && (types === undefined || types.includes(row.type));
