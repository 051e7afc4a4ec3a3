// What the sleep and the workout list have in common on the wire.
import { roundTo } from '../../model/arithmetic.ts';
import type { PagePlace } from '../../reads/session-page.ts';
import type { SessionsAsked } from '../../reads/sessions.ts';
import { type FromToQuery, fromTo } from '../asked-range.ts';

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

export const wholeMinutes = ({ startMs, endMs }: { startMs: number; endMs: number }): number =>
  Math.round((endMs - startMs) / 60_000);

export const roundedOrNull = (decimals: number, value: number | null): number | null =>
  value === null ? null : roundTo(decimals, value);
