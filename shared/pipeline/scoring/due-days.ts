// Which days to score anew: every span that changed, lengthened by as far as a changed day reaches, without counting a day twice.

import { allDays, type DateSpan } from '../../measurements/date-span.ts';
import { addDays } from '../../platform/time/local-day.ts';
import { reachDays } from '../../scores/day-scores.ts';
import type { PendingDays } from '../../users/pending-scores.ts';

/** What a pass takes up: what is due, and with it what waits and is scored anyway. */
export function selectDueDays(pending: readonly PendingDays[], nowMs: number): PendingDays[] {
  const isDue = ({ dueMs }: PendingDays) => dueMs <= nowMs;
  const spans = computeDueSpans(pending.filter(isDue));
  return pending.filter((each) => isDue(each) || spans.some(({ from, to }) => from <= each.to && each.from <= to));
}

/** In order, apart from each other. */
export function computeDueSpans(pending: readonly DateSpan[]): DateSpan[] {
  const spans: DateSpan[] = [];
  for (const each of pending.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const to = addDaysClamped(each.to, reachDays);
    const last = spans.at(-1);
    if (!last || each.from > last.to) spans.push({ from: each.from, to });
    else if (to > last.to) last.to = to;
  }
  return spans;
}

/** What is left of these when everything before a day was scored. */
export const remainingFrom = <Span extends DateSpan>(pending: readonly Span[], before: string): Span[] =>
  pending.flatMap((each) => {
    if (each.from >= before) return [each];
    if (addDaysClamped(each.to, reachDays) < before) return [];
    return [{ ...each, from: before, to: each.to > before ? each.to : before }];
  });

/** The days that scores of a span are made from. */
export const getInputSpan = ({ from, to }: DateSpan): DateSpan => ({ from: subtractDaysClamped(from, reachDays), to });

/** The calendar ends with four digits. */
const addDaysClamped = (date: string, days: number): string => (date > '9998' ? allDays.to : addDays(date, days));
const subtractDaysClamped = (date: string, days: number): string =>
  date < '0002' ? allDays.from : addDays(date, -days);
