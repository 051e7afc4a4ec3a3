// The local days that a push is about, in any time zone.
import { addDays, dayMs, utcDay } from '../../platform/time/local-day.ts';
import type { DayWindow } from './provider-pages.ts';

/** The furthest that local clocks are behind UTC and ahead of it. */
const maxBehindUtcMs = 12 * 3_600_000;
const maxAheadOfUtcMs = 14 * 3_600_000;

/** Every date that a clock shows anywhere on earth between the two instants. */
export const datesWorldwide = (startMs: number, endMs: number): DayWindow => ({
  from: utcDay(startMs - maxBehindUtcMs),
  to: utcDay(endMs + maxAheadOfUtcMs),
});

/** For a date by the provider's clock, which may be a day off the user's zone. */
export const withAdjacentDays = (from: string, to = from): DayWindow => ({
  from: addDays(from, -1),
  to: addDays(to, 1),
});

/**
 * Excludes days before the reach of a first sync and days in the future. Undefined if no day is
 * left.
 */
export function clampToHistory(
  { from, to }: DayWindow,
  { receivedMs, historyDays }: { receivedMs: number; historyDays: number },
): DayWindow | undefined {
  const oldest = utcDay(receivedMs - historyDays * dayMs);
  const latest = utcDay(receivedMs + dayMs);
  const days = { from: from < oldest ? oldest : from, to: to > latest ? latest : to };
  return days.from <= days.to ? days : undefined;
}

/** For a push that names no days: the days that every sync reads. */
export const rereadWindow = (receivedMs: number, rereadDays: number): DayWindow => ({
  from: utcDay(receivedMs - rereadDays * dayMs),
  to: utcDay(receivedMs + dayMs),
});
