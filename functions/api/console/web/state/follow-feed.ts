// Follows a feed that can only be read forward, and still shows its newest events first: a busy feed
// is opened close to its end, and a reader that has fallen behind skips ahead.
import { ApiFailure } from '../api/failures.ts';

export interface FeedView<Event> {
  /** Newest first, at most `maxShownEvents`. */
  events: readonly Event[];
  cursor: string;
  /** Every event since then that matches is in the list, unless it is trimmed. */
  sinceMs: number;
  /** There are events after the cursor already: the next read continues. */
  isBehind: boolean;
  /** Whether the list begins at the start of the chosen time. */
  isWhole: boolean;
  isTrimmed: boolean;
}

interface FeedPage<Event> {
  events: readonly Event[];
  cursor: string;
  has_more: boolean;
}

export interface FeedSource<Event> {
  readPage(from: { since: string } | { cursor: string }): Promise<FeedPage<Event>>;
  windowMs: number;
  /** Reads forward from the start of the window instead: for an event that happened just after it. */
  fromStart?: boolean;
  now?: () => number;
}

export const maxShownEvents = 2_000;
/** One read stops here, so that what was found is drawn meanwhile. */
const maxPagesPerRead = 5;
const shortestSpanMs = 60_000;
const spanFactor = 4;

/** Each call reads on from where the last one stopped, and returns everything to show. */
export function followFeed<Event>({
  readPage,
  windowMs,
  fromStart = false,
  now = Date.now,
}: FeedSource<Event>): () => Promise<FeedView<Event>> {
  let view: FeedView<Event> | undefined;

  const readFrom = async (start: FeedView<Event> | number, maxPages: number): Promise<FeedView<Event>> => {
    let current = typeof start === 'number' ? undefined : start;
    const sinceMs = typeof start === 'number' ? now() - start : start.sinceMs;
    const isWhole = typeof start === 'number' ? start === windowMs : start.isWhole;
    for (let pages = 1; ; pages += 1) {
      const page = await readPage(current ? { cursor: current.cursor } : { since: new Date(sinceMs).toISOString() });
      const all = [...page.events.toReversed(), ...(current?.events ?? [])];
      current = {
        events: all.slice(0, maxShownEvents),
        cursor: page.cursor,
        ...{ sinceMs, isWhole, isBehind: page.has_more },
        isTrimmed: current?.isTrimmed === true || all.length > maxShownEvents,
      };
      if (!page.has_more || pages === maxPages) return current;
    }
  };

  /** Widens the time as long as all of it can be read up to the end. */
  const openNearEnd = async (): Promise<FeedView<Event>> => {
    const quiet = await readFrom(windowMs, 1);
    if (!quiet.isBehind) return quiet;
    let spanMs = Math.min(shortestSpanMs, windowMs);
    let found = await readFrom(spanMs, maxPagesPerRead);
    while (!found.isBehind && !found.isTrimmed && spanMs < windowMs) {
      spanMs = Math.min(spanMs * spanFactor, windowMs);
      const wider = await readFrom(spanMs, maxPagesPerRead);
      if (wider.isBehind) break;
      found = wider;
    }
    return found;
  };

  return async () => {
    try {
      if (fromStart) view = await readFrom(view ?? windowMs, maxPagesPerRead);
      else {
        const continued = view && (await readFrom(view, maxPagesPerRead));
        view = continued && !continued.isBehind ? continued : await openNearEnd();
      }
      return view;
    } catch (error) {
      // What the cursor stands for is gone, so the reader begins anew.
      if (error instanceof ApiFailure && error.code === 'cursor_expired') view = undefined;
      throw error;
    }
  };
}
