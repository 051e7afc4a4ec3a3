// Which days to score anew: every asked range, lengthened by as far as a changed day reaches, without counting a day twice.
import { addDays } from '../../model/local-day.ts';
import type { Ask } from '../../store/score-runs.ts';
import { type DateSpan, everyDay, noDay } from './ask.ts';
import { reachDays } from './day-scores.ts';

/** What a run takes up now: what is due, and with it what waits and is scored anyway. */
export function dueAsks(asks: readonly Ask[], nowMs: number): Ask[] {
  const spans = dueSpans(asks.filter((ask) => isAskDue(ask, nowMs)));
  return asks.filter((ask) => isAskDue(ask, nowMs) || spans.some(({ from, to }) => from <= ask.to && ask.from <= to));
}

/** What waits becomes due when its time comes, or when data of the same days changes. */
export const isAskDue = ({ held, wakeMs = 0 }: Ask, nowMs: number): boolean => !held || nowMs >= wakeMs;

/** In order, apart from each other. */
export function dueSpans(asks: readonly DateSpan[]): DateSpan[] {
  const spans: DateSpan[] = [];
  for (const ask of asks.filter(({ to }) => to !== noDay.to).sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const to = later(ask.to, reachDays);
    const last = spans.at(-1);
    if (!last || ask.from > last.to) spans.push({ from: ask.from, to });
    else if (to > last.to) last.to = to;
  }
  return spans;
}

/** What is left to ask for when everything before a day was scored; those that begin later stay asked for as they are. */
export function restOf(asks: readonly DateSpan[], before: string): DateSpan | undefined {
  const ends = asks
    .filter(({ from, to }) => from < before && to !== noDay.to && later(to, reachDays) >= before)
    .map(({ to }) => to);
  const to = ends.reduce((latest, end) => (end > latest ? end : latest), before);
  return ends.length === 0 ? undefined : { from: before, to };
}

/** The days that scores of a span are made from. */
export const lookedAt = ({ from, to }: DateSpan): DateSpan => ({ from: earlier(from, reachDays), to });

/** The calendar ends with four digits. */
const later = (date: string, days: number): string => (date > '9998' ? everyDay.to : addDays(date, days));
const earlier = (date: string, days: number): string => (date < '0002' ? everyDay.from : addDays(date, -days));
