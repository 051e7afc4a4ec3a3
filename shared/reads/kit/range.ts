// The days a read asks for. Its defaults need the user's zone, which is only known with the user: until then a range wide enough for any zone stands in.

import { addDays, daysBetween, todayIn, utcDay } from '../../platform/time/local-day.ts';
import { Failure } from '../../system/failure.ts';

export interface AskedRange {
  from?: string | undefined;
  to?: string | undefined;
  /** What the caller calls the two ends, for what is said about them. */
  names: { from: string; to: string };
  /** How many days whoever asks is served at once. */
  mostDays: number;
}
export type StatedRange = AskedRange & Range;
export interface Range {
  from: string;
  to: string;
}

const usualDaysBefore = 29;

export function rangeIn(zone: string | null, asked: AskedRange, nowMs: number): Range {
  if (asked.to !== undefined) return checked(asked, asked.to);
  const today = todayIn(zone, nowMs);
  const { from, names } = asked;
  if (from !== undefined && from > today)
    throw invalidRange(
      names.from,
      `${names.from} ${from} is later than the user's current date, ${today}, which is the default of ${names.to}`,
    );
  return checked(asked, today);
}

/**
 * Holds `rangeIn` of every zone: no clock shows a day before yesterday's or after tomorrow's of UTC. What no zone
 * allows is left to `rangeIn`, which knows the day to name; until then next to nothing is read.
 */
export function widestRange(asked: AskedRange, nowMs: number): Range {
  if (asked.to !== undefined) return checked(asked, asked.to);
  const today = utcDay(nowMs);
  const [earliest, latest] = [addDays(today, -1), addDays(today, 1)];
  const { from = addDays(earliest, -usualDaysBefore), mostDays } = asked;
  const isServed = from <= latest && daysBetween(from, earliest) < mostDays;
  return { from: isServed ? from : latest, to: latest };
}

function checked(asked: AskedRange, to: string): Range {
  const { from } = asked;
  if (from === undefined) return { from: addDays(to, -usualDaysBefore), to };
  mustNotBeReversed({ ...asked, from, to });
  mustNotBeTooLong({ ...asked, from, to });
  return { from, to };
}

export function mustNotBeReversed({ from, to, names }: StatedRange): void {
  if (from > to) throw invalidRange(names.from, `${names.from} ${from} is later than ${names.to} ${to}`);
}

export function mustNotBeTooLong({ from, to, names, mostDays }: StatedRange): void {
  const length = daysBetween(from, to) + 1;
  if (length > mostDays)
    throw invalidRange(
      names.from,
      `the range spans ${length} days, but the maximum is ${mostDays}; read it in windows of ${mostDays} days`,
    );
}

const invalidRange = (path: string, message: string) =>
  new Failure('invalid_request', `The range is invalid: ${message}.`, { details: { issues: [{ path, message }] } });
