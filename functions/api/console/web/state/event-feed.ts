// Follows the events feed from a time on, by its cursor.
import { type Schemas, v1 } from '../api/client.ts';
import { ApiFailure, unwrap } from '../api/failures.ts';
import type { FeedEventType } from './event-types.ts';

export type ShownEvent = Schemas['Event'];

export interface FeedFilters {
  since: string;
  types: readonly FeedEventType[];
  userId: string | undefined;
}

export interface FeedView {
  /** Newest first, at most `maxShownEvents`. */
  events: readonly ShownEvent[];
  cursor: string;
  /** There are events after the cursor already: the next read continues. */
  isBehind: boolean;
  isTrimmed: boolean;
}

export const maxShownEvents = 2_000;
const pageSize = 1_000;
/** One read stops here, so that what was found is drawn meanwhile. */
const maxPagesPerRead = 5;

/** Each call reads on from where the last one stopped, and returns everything to show. */
export function createFeedReader({ since, types, userId }: FeedFilters): () => Promise<FeedView> {
  let events: ShownEvent[] = [];
  let cursor: string | undefined;
  let isTrimmed = false;
  const filters = {
    ...(types.length === 0 ? {} : { types: types.join(',') }),
    ...(userId === undefined ? {} : { user_id: userId }),
  };
  return async () => {
    for (let pages = 1; ; pages += 1) {
      const query = { ...filters, limit: pageSize, ...(cursor === undefined ? { since } : { cursor }) };
      const page = await unwrap(v1.GET('/v1/events', { params: { query } })).catch((error: unknown) => {
        // What the cursor stands for is gone, so the reader begins anew.
        if (error instanceof ApiFailure && error.code === 'cursor_expired') [cursor, events] = [undefined, []];
        throw error;
      });
      const all = [...page.events.reverse(), ...events];
      isTrimmed ||= all.length > maxShownEvents;
      events = all.slice(0, maxShownEvents);
      cursor = page.cursor;
      if (!page.has_more || pages === maxPagesPerRead) return { events, cursor, isBehind: page.has_more, isTrimmed };
    }
  };
}
