// The days that were asked for: more than those is fetched, and only what is known in full is told.
import { dayBounds } from '../../platform/time/local-day.ts';
import { dayOf } from './day-of.ts';
import type { DayWindow } from './pages.ts';
import { daysAround } from './pushed-days.ts';

export interface DaysAsked {
  holds(date: string): boolean;
  /** Also what is on no day: it is to be rejected, not passed over. */
  holdsInstant(ms: number): boolean;
  dateOf(ms: number): string;
}

/** Every day where none were asked for. Instants lie on days of the person's zone, UTC if there is none, whatever offset a record carries. */
export function daysAsked(asked: DayWindow | null, zone: string | null): DaysAsked {
  const dateOf = (ms: number): string => dayOf(ms, zone);
  const holds = (date: string): boolean => asked === null || (date >= asked.from && date <= asked.to);
  const holdsInstant = (ms: number): boolean => {
    const date = dateOf(ms);
    return date === '' || holds(date);
  };
  return { holds, dateOf, holdsInstant };
}

/**
 * The dates under which a vendor may file what happened on these days of the person's zone: it goes
 * by the clock of the watch, wherever that is. One more on either side for whoever lives between
 * UTC-10 and UTC+12, and two for others.
 */
export const datesOfVendor = ({ from, to }: DayWindow, zone: string | null): DayWindow =>
  daysAround(dayBounds(from, zone).startMs, dayBounds(to, zone).endMs - 1);

/** The last date that a clock may show by then: no day begins before it does in the farthest east. */
export const lastDateBegun = (nowMs: number): string => daysAround(nowMs, nowMs).to;
