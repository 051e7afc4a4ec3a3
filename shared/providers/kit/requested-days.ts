// The days that were asked for: more than those is fetched, and only what is known in full is told.
import { dayBounds } from '../../platform/time/local-day.ts';
import { datesWorldwide } from './day-windows.ts';
import { localDayOfInstant } from './local-day-of-instant.ts';
import type { DayWindow } from './provider-pages.ts';

export interface RequestedDays {
  includes(date: string): boolean;
  /** Also what is on no day: it is to be rejected, not passed over. */
  includesInstant(ms: number): boolean;
  dateOf(ms: number): string;
}

/** Every day where none were asked for. Instants lie on days of the person's zone, UTC if there is none, whatever offset a record carries. */
export function createRequestedDays(requested: DayWindow | null, zone: string | null): RequestedDays {
  const dateOf = (ms: number): string => localDayOfInstant(ms, zone);
  const includes = (date: string): boolean => requested === null || (date >= requested.from && date <= requested.to);
  const includesInstant = (ms: number): boolean => {
    const date = dateOf(ms);
    return date === '' || includes(date);
  };
  return { includes, dateOf, includesInstant };
}

/**
 * The dates under which a vendor may file what happened on these days of the person's zone: it goes
 * by the clock of the watch, wherever that is. One more on either side for whoever lives between
 * UTC-10 and UTC+12, and two for others.
 */
export const expandToProviderDates = ({ from, to }: DayWindow, zone: string | null): DayWindow =>
  datesWorldwide(dayBounds(from, zone).startMs, dayBounds(to, zone).endMs - 1);

/** The last date that a clock may show by then: no day begins before it does in the farthest east. */
export const latestDateWorldwide = (nowMs: number): string => datesWorldwide(nowMs, nowMs).to;
