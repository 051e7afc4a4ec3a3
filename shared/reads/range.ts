// The days a read asks for. Its defaults need the user's zone, which is only known with the user: until then a range wide enough for any zone stands in.
import { addDays, daysBetween, todayIn, utcDay } from '../domain/time/local-day.ts';
import { Failure } from '../model/failure.ts';

export interface AskedRange {
  from_date?: string | undefined;
  to_date?: string | undefined;
}
export interface Range {
  from: string;
  to: string;
}

export const longestRangeDays = 366;
const usualDaysBefore = 29;

export function rangeIn(zone: string | null, asked: AskedRange, nowMs: number): Range {
  return checked(asked, asked.to_date ?? todayIn(zone, nowMs));
}

/** Holds `rangeIn` of every zone: no clock shows a day before yesterday's or after tomorrow's of UTC. */
export function widestRange(asked: AskedRange, nowMs: number): Range {
  if (asked.to_date !== undefined) return checked(asked, asked.to_date);
  const today = utcDay(nowMs);
  const [earliest, latest] = [addDays(today, -1), addDays(today, 1)];
  const { from_date: from = addDays(earliest, -usualDaysBefore) } = asked;
  mustNotBeReversed(from, latest);
  mustNotBeTooLong(from, earliest, longestRangeDays);
  return { from, to: latest };
}

function checked({ from_date: from }: AskedRange, to: string): Range {
  if (from === undefined) return { from: addDays(to, -usualDaysBefore), to };
  mustNotBeReversed(from, to);
  mustNotBeTooLong(from, to, longestRangeDays);
  return { from, to };
}

export function mustNotBeReversed(from: string, to: string, [fromName, toName] = ['from_date', 'to_date']): void {
  if (from > to) throw invalidRange(fromName, `${fromName} ${from} is later than ${toName} ${to}`);
}

export function mustNotBeTooLong(from: string, to: string, days: number, fromName = 'from_date'): void {
  const length = daysBetween(from, to) + 1;
  if (length > days)
    throw invalidRange(fromName, `the range has ${length} days, and at most ${days} can be read at once`);
}

const invalidRange = (path: string, message: string) =>
  new Failure('invalid_request', `The range is invalid: ${message}.`, { details: { issues: [{ path, message }] } });
