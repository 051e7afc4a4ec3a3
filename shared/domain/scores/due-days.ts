// Which days to score anew: every asked range, lengthened by as far as a changed day reaches, without counting a day twice.
import { addDays } from '../time/local-day.ts';
import { reachDays } from './day-scores.ts';

export interface DateSpan {
  from: string;
  to: string;
}

const firstDay = '0000-01-01';
const lastDay = '9999-12-31';

/** In order, apart from each other. */
export function dueSpans(asks: readonly DateSpan[]): DateSpan[] {
  const spans: DateSpan[] = [];
  for (const ask of asks.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const to = later(ask.to, reachDays);
    const last = spans.at(-1);
    if (!last || ask.from > last.to) spans.push({ from: ask.from, to });
    else if (to > last.to) last.to = to;
  }
  return spans;
}

/** The days that scores of a span are made from. */
export const lookedAt = ({ from, to }: DateSpan): DateSpan => ({ from: earlier(from, reachDays), to });

/** The calendar ends with four digits. */
const later = (date: string, days: number): string => (date > '9998' ? lastDay : addDays(date, days));
const earlier = (date: string, days: number): string => (date < '0002' ? firstDay : addDays(date, -days));
