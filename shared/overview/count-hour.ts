// Decides which hour the difference of two readings belongs to. What cannot be attributed to one hour
// is not counted at all: a gap is honest, and a guess is not.
import { type HourlyCountRow, hourMs, startOfHour } from './hourly-count-rows.ts';
import { type Counts, computeCounts, noReadings, type Readings } from './readings.ts';

/** How much longer or shorter than an hour a period may be, because a sweep was late. */
const toleranceMs = 15 * 60_000;

export interface CountedPeriod {
  counts: Counts;
  periodMs: number;
}

/** The reading before: that of the last row, or nothing at all when the account was created. */
export interface PreviousReading {
  /** The hour that follows the reading. */
  nextStartMs: number;
  takenMs: number;
  readings: Readings;
  isCreation: boolean;
}

export const readingOfRow = ({ startMs, takenMs, readings }: HourlyCountRow): PreviousReading => ({
  nextStartMs: startMs + hourMs,
  takenMs,
  readings,
  isCreation: false,
});

export const readingAtCreation = (createdMs: number): PreviousReading => ({
  nextStartMs: startOfHour(createdMs),
  takenMs: createdMs,
  readings: noReadings,
  isCreation: true,
});

/** Undefined if the readings at `takenMs` do not say what happened in the hour from `startMs` on. */
export function countHour(
  startMs: number,
  before: PreviousReading | undefined,
  after: Readings,
  takenMs: number,
): CountedPeriod | undefined {
  if (before?.nextStartMs !== startMs) return undefined;
  const beginsInTime = before.isCreation || Math.abs(before.takenMs - startMs) <= toleranceMs;
  const periodMs = takenMs - before.takenMs;
  if (!beginsInTime || periodMs <= 0 || takenMs > startMs + hourMs + toleranceMs) return undefined;
  return { counts: computeCounts(before.readings, after), periodMs };
}
