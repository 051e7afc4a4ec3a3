// Resolves the range of days of a read. The defaults depend on the user's time zone, which is known
// only once the user is read; until then a range wide enough for every time zone is used.

import { addDays, daysBetween, todayIn, utcDay } from '../../platform/time/local-day.ts';
import { Failure } from '../../system/failure.ts';

export interface RequestedRange {
  from?: string | undefined;
  to?: string | undefined;
  /** The caller's names of the two ends, for error messages. */
  names: { from: string; to: string };
  /** The maximum number of days of one request. */
  maxDays: number;
}
export type ExplicitRange = RequestedRange & Range;
export interface Range {
  from: string;
  to: string;
}

const defaultDaysBefore = 29;

export function resolveRange(zone: string | null, requested: RequestedRange, nowMs: number): Range {
  if (requested.to !== undefined) return checkRange(requested, requested.to);
  const today = todayIn(zone, nowMs);
  const { from, names } = requested;
  if (from !== undefined && from > today)
    throw invalidRange(
      names.from,
      `${names.from} ${from} is later than the user's current date, ${today}, which is the default of ${names.to}`,
    );
  return checkRange(requested, today);
}

/**
 * Contains the result of `resolveRange` for every time zone: no local date is before yesterday or
 * after tomorrow in UTC. A range that no time zone allows is left to `resolveRange`, which knows
 * the date to name in the error; almost nothing is read in that case.
 */
export function resolveWidestRange(requested: RequestedRange, nowMs: number): Range {
  if (requested.to !== undefined) return checkRange(requested, requested.to);
  const today = utcDay(nowMs);
  const [earliest, latest] = [addDays(today, -1), addDays(today, 1)];
  const { from = addDays(earliest, -defaultDaysBefore), maxDays } = requested;
  const isAllowed = from <= latest && daysBetween(from, earliest) < maxDays;
  return { from: isAllowed ? from : latest, to: latest };
}

function checkRange(requested: RequestedRange, to: string): Range {
  const { from } = requested;
  if (from === undefined) return { from: addDays(to, -defaultDaysBefore), to };
  assertNotReversed({ ...requested, from, to });
  assertNotTooLong({ ...requested, from, to });
  return { from, to };
}

export function assertNotReversed({ from, to, names }: ExplicitRange): void {
  if (from > to) throw invalidRange(names.from, `${names.from} ${from} is later than ${names.to} ${to}`);
}

export function assertNotTooLong({ from, to, names, maxDays }: ExplicitRange): void {
  const length = daysBetween(from, to) + 1;
  if (length > maxDays)
    throw tooLong(
      names.from,
      `spans ${length} days, but the maximum is ${maxDays}; read it in windows of ${maxDays} days`,
    );
}

/** The response would be too large. */
export const tooLarge = (path: string, reason: string, longest: Range): Failure =>
  tooLong(path, `${reason}; the longest range that fits is ${longest.from} to ${longest.to}`);

const tooLong = (path: string, predicate: string) =>
  new Failure('invalid_request', `The range ${predicate}.`, {
    details: { issues: [{ path, message: `the range ${predicate}` }] },
  });

const invalidRange = (path: string, message: string) =>
  new Failure('invalid_request', `The range is invalid: ${message}.`, { details: { issues: [{ path, message }] } });
