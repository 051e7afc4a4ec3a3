// Which days to score anew: every span that changed, lengthened by as far as a changed day reaches, without counting a day twice.

import { type DateSpan, everyDay } from '../../measurements/every-day.ts';
import { addDays } from '../../platform/time/local-day.ts';
import { reachDays } from '../../scores/day-scores.ts';
import type { OwedDays } from '../../users/owed-scores.ts';

/** What a pass takes up: what is due, and with it what waits and is scored anyway. */
export function dueDays(owed: readonly OwedDays[], nowMs: number): OwedDays[] {
  const isDue = ({ dueMs }: OwedDays) => dueMs <= nowMs;
  const spans = dueSpans(owed.filter(isDue));
  return owed.filter((each) => isDue(each) || spans.some(({ from, to }) => from <= each.to && each.from <= to));
}

/** In order, apart from each other. */
export function dueSpans(owed: readonly DateSpan[]): DateSpan[] {
  const spans: DateSpan[] = [];
  for (const each of owed.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const to = later(each.to, reachDays);
    const last = spans.at(-1);
    if (!last || each.from > last.to) spans.push({ from: each.from, to });
    else if (to > last.to) last.to = to;
  }
  return spans;
}

/** What is left of these when everything before a day was scored. */
export const restOf = <Span extends DateSpan>(owed: readonly Span[], before: string): Span[] =>
  owed.flatMap((each) => {
    if (each.from >= before) return [each];
    if (later(each.to, reachDays) < before) return [];
    return [{ ...each, from: before, to: each.to > before ? each.to : before }];
  });

/** The days that scores of a span are made from. */
export const lookedAt = ({ from, to }: DateSpan): DateSpan => ({ from: earlier(from, reachDays), to });

/** The calendar ends with four digits. */
const later = (date: string, days: number): string => (date > '9998' ? everyDay.to : addDays(date, days));
const earlier = (date: string, days: number): string => (date < '0002' ? everyDay.from : addDays(date, -days));
