// The local days that a push is about, wherever the person is.
import { dayMs, utcDay } from '../model/local-day.ts';
import type { DayWindow } from './pages.ts';

/** Local days begin up to so long before those of UTC, and end up to so long after them. */
const asideMs = 14 * 3_600_000;

export const daysAround = (startMs: number, endMs: number): DayWindow => ({
  from: utcDay(startMs - asideMs),
  to: utcDay(endMs + asideMs),
});

/** No further back than a first sync reaches, and nothing that has not happened. Undefined when nothing is left. */
export function withinReach(
  { from, to }: DayWindow,
  { receivedMs, historyDays }: { receivedMs: number; historyDays: number },
): DayWindow | undefined {
  const oldest = utcDay(receivedMs - historyDays * dayMs);
  const latest = utcDay(receivedMs + dayMs);
  const days = { from: from < oldest ? oldest : from, to: to > latest ? latest : to };
  return days.from <= days.to ? days : undefined;
}

/** Where it does not say which: those that every sync reads. */
export const latestDays = (receivedMs: number, rereadDays: number): DayWindow => ({
  from: utcDay(receivedMs - rereadDays * dayMs),
  to: utcDay(receivedMs + dayMs),
});
