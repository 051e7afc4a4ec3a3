// Computes minutes in five heart-rate zones, at 50, 60, 70, 80 and 90% of the maximum heart rate.
// This is the model of the American Heart Association and most watches; heart rates below the first
// zone are in no zone, and the fifth has no upper bound. The maximum is estimated as 208 - 0.7 x
// age (Tanaka, Monahan, Seals: Age-predicted maximal heart rate revisited, J Am Coll Cardiol 37,
// 2001).
import { roundTo } from '../platform/arithmetic.ts';
import { ageOn } from '../platform/time/local-day.ts';
import type { HeartRatePoint } from './records.ts';

export interface HeartRateZone {
  zone: 1 | 2 | 3 | 4 | 5;
  minBpm: number;
  maxBpm: number;
  minutes: number;
}

const lowerBounds = [
  [1, 0.5],
  [2, 0.6],
  [3, 0.7],
  [4, 0.8],
  [5, 0.9],
] as const;
const maxAtUnknownAge = 190;
/** A point says nothing about a longer gap after it. */
const maxGapMs = 60_000;

/**
 * Estimated from the age when the date of birth is known, otherwise 190 or the highest observed
 * heart rate if that is higher.
 */
export function computeMaxHeartRate(dateOfBirth: string | null, date: string, observedMax: number | null): number {
  if (dateOfBirth !== null) return roundTo(0, 208 - 0.7 * Math.max(0, ageOn(dateOfBirth, date)));
  return Math.max(maxAtUnknownAge, roundTo(0, observedMax ?? 0));
}

/**
 * Each point counts until the next one, the last until the end of the workout, and none for more
 * than a minute. Returns null without a trace.
 */
export function computeHeartRateZones(
  trace: readonly HeartRatePoint[] | null,
  endMs: number,
  maxHeartRate: number,
): HeartRateZone[] | null {
  if (trace === null || trace.length === 0) return null;
  const floors = lowerBounds.map(([, part]) => roundTo(0, part * maxHeartRate));
  const spentMs = lowerBounds.map(() => 0);
  const points = trace.toSorted((a, b) => a.atMs - b.atMs);
  for (const [at, { atMs, bpm }] of points.entries()) {
    const untilMs = points[at + 1]?.atMs ?? endMs;
    const zone = floors.findLastIndex((floor) => bpm >= floor);
    const gapMs = Math.min(Math.max(0, untilMs - atMs), maxGapMs);
    if (zone >= 0) spentMs[zone] = (spentMs[zone] ?? 0) + gapMs;
  }
  return lowerBounds.map(([zone], at) => ({
    zone,
    minBpm: floors[at] ?? 0,
    maxBpm: (floors[at + 1] ?? maxHeartRate + 1) - 1,
    minutes: (spentMs[at] ?? 0) / 60_000,
  }));
}
