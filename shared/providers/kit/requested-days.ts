// The requested days. More days than these are fetched, and only those that are known in full are
// returned.
import { dayBounds } from '../../platform/time/local-day.ts';
import { datesWorldwide } from './day-windows.ts';
import { localDayOfInstant } from './local-day-of-instant.ts';
import type { DayWindow } from './provider-pages.ts';

export interface RequestedDays {
  includes(date: string): boolean;
  /** True for an instant without a valid date too: it has to be rejected, not skipped. */
  includesInstant(ms: number): boolean;
  dateOf(ms: number): string;
}

/**
 * Includes every day if none were requested. An instant belongs to a day in the user's zone, or in
 * UTC if there is none, regardless of the offset of the record.
 */
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
 * The dates under which a provider may file what happened on these days in the user's zone, since
 * it follows the clock of the watch, wherever that is. That is one more day on either side for
 * users between UTC-10 and UTC+12, and two for others.
 */
export const expandToProviderDates = ({ from, to }: DayWindow, zone: string | null): DayWindow =>
  datesWorldwide(dayBounds(from, zone).startMs, dayBounds(to, zone).endMs - 1);

/** The last date that any clock can show at that time: a day begins first in the farthest east. */
export const latestDateWorldwide = (nowMs: number): string => datesWorldwide(nowMs, nowMs).to;
