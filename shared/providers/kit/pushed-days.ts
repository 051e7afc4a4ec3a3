// The local days that a push is about, wherever the person is.
import { addDays, dayMs, utcDay } from '../../platform/time/local-day.ts';
import type { DayWindow } from './pages.ts';

/** Clocks are at most so far behind UTC, and ahead of it. */
const behindMs = 12 * 3_600_000;
const aheadMs = 14 * 3_600_000;

/** Every date that a clock shows anywhere on earth from one instant to the other. */
export const daysAround = (startMs: number, endMs: number): DayWindow => ({
  from: utcDay(startMs - behindMs),
  to: utcDay(endMs + aheadMs),
});

/** A date by the vendor's clock, which may be a day off the person's zone. */
export const daysBeside = (from: string, to = from): DayWindow => ({ from: addDays(from, -1), to: addDays(to, 1) });

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
