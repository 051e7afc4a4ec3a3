// The local days that a push is about, wherever the person is.
import { addDays, dayMs, utcDay } from '../../platform/time/local-day.ts';
import type { DayWindow } from './provider-pages.ts';

/** Clocks are at most so far behind UTC, and ahead of it. */
const maxBehindUtcMs = 12 * 3_600_000;
const maxAheadOfUtcMs = 14 * 3_600_000;

/** Every date that a clock shows anywhere on earth from one instant to the other. */
export const datesWorldwide = (startMs: number, endMs: number): DayWindow => ({
  from: utcDay(startMs - maxBehindUtcMs),
  to: utcDay(endMs + maxAheadOfUtcMs),
});

/** A date by the vendor's clock, which may be a day off the person's zone. */
export const withAdjacentDays = (from: string, to = from): DayWindow => ({
  from: addDays(from, -1),
  to: addDays(to, 1),
});

/** No further back than a first sync reaches, and nothing that has not happened. Undefined when nothing is left. */
export function clampToHistory(
  { from, to }: DayWindow,
  { receivedMs, historyDays }: { receivedMs: number; historyDays: number },
): DayWindow | undefined {
  const oldest = utcDay(receivedMs - historyDays * dayMs);
  const latest = utcDay(receivedMs + dayMs);
  const days = { from: from < oldest ? oldest : from, to: to > latest ? latest : to };
  return days.from <= days.to ? days : undefined;
}

/** Where it does not say which: those that every sync reads. */
export const rereadWindow = (receivedMs: number, rereadDays: number): DayWindow => ({
  from: utcDay(receivedMs - rereadDays * dayMs),
  to: utcDay(receivedMs + dayMs),
});
