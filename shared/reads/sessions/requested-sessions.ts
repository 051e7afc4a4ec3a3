// Parses the query for a page of the sleep or workout list.

import { type FromToQuery, parseFromTo } from '../kit/requested-range.ts';
import type { SessionsRequest } from './find-sessions.ts';
import type { PagePosition } from './session-page.ts';

export interface SessionsQuery extends FromToQuery {
  limit: number;
  include_sources: boolean;
  /** Where the previous page ended, taken from the cursor. */
  position?: PagePosition | undefined;
}

export const requestedSessions = (query: SessionsQuery): SessionsRequest => ({
  range: parseFromTo(query),
  limit: query.limit,
  position: query.position,
});
