// The events feed as a page shows it: how far back, which types, and whose.
import { type Schemas, v1 } from '../api/client.ts';
import { unwrap } from '../api/failures.ts';
import type { FeedEventType } from './event-types.ts';
import { type FeedView, followFeed } from './follow-feed.ts';

export type ShownEvent = Schemas['Event'];

const hourMilliseconds = 3_600_000;
const windowHours = { day: 24, hour: 1, week: 7 * 24, all: 90 * 24 } as const;
export type FeedWindow = keyof typeof windowHours;

export interface FeedFilters {
  /** The newest events of a time, or everything from a moment on, read forward. */
  from: FeedWindow | Date;
  types?: readonly FeedEventType[];
  userId?: string | undefined;
}

const pageSize = 1_000;

/** Each call returns everything to show. */
export function createFeedReader({
  from: start,
  types = [],
  userId,
}: FeedFilters): () => Promise<FeedView<ShownEvent>> {
  const filters = {
    ...(types.length === 0 ? {} : { types: types.join(',') }),
    ...(userId === undefined ? {} : { user_id: userId }),
  };
  return followFeed({
    windowMs: start instanceof Date ? Date.now() - start.getTime() : windowHours[start] * hourMilliseconds,
    fromStart: start instanceof Date,
    readPage: (from) => unwrap(v1.GET('/v1/events', { params: { query: { ...filters, limit: pageSize, ...from } } })),
  });
}
