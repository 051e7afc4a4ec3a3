// Determines which days to score: every changed span, extended by the number of days a change
// affects, with overlaps merged.

import { allDays, type DateSpan } from '../../measurements/date-span.ts';
import { addDays } from '../../platform/time/local-day.ts';
import { reachDays } from '../../scores/day-scores.ts';
import type { PendingDays } from '../../users/pending-scores.ts';

/**
 * Selects the days a pass scores: those that are due, and postponed ones that the due spans include
 * anyway.
 */
export function selectDueDays(pending: readonly PendingDays[], nowMs: number): PendingDays[] {
  const isDue = ({ dueMs }: PendingDays) => dueMs <= nowMs;
  const spans = computeDueSpans(pending.filter(isDue));
  return pending.filter((each) => isDue(each) || spans.some(({ from, to }) => from <= each.to && each.from <= to));
}

/** Returns disjoint spans in ascending order. */
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

/** Returns what remains of the pending spans when everything before a day is scored. */
export const remainingFrom = <Span extends DateSpan>(pending: readonly Span[], before: string): Span[] =>
  pending.flatMap((each) => {
    if (each.from >= before) return [each];
    if (addDaysClamped(each.to, reachDays) < before) return [];
    return [{ ...each, from: before, to: each.to > before ? each.to : before }];
  });

/** Returns the days from which the scores of a span are computed. */
export const getInputSpan = ({ from, to }: DateSpan): DateSpan => ({ from: subtractDaysClamped(from, reachDays), to });

/** Dates have four-digit years. */
const addDaysClamped = (date: string, days: number): string => (date > '9998' ? allDays.to : addDays(date, days));
const subtractDaysClamped = (date: string, days: number): string =>
  date < '0002' ? allDays.from : addDays(date, -days);
