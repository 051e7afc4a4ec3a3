// What a query for a page of the sleep or the workout list asks for.

import { type FromToQuery, fromTo } from '../kit/asked-range.ts';
import type { PagePlace } from './session-page.ts';
import type { SessionsAsked } from './sessions.ts';

export interface SessionsQuery extends FromToQuery {
  limit: number;
  include_sources: boolean;
  /** Where the page before ended, out of the cursor. */
  place?: PagePlace | undefined;
}

export const askedSessions = (query: SessionsQuery): SessionsAsked => ({
  range: fromTo(query),
  limit: query.limit,
  place: query.place,
});
