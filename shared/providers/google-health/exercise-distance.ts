// Derives the distance of a workout that reports none from the distances measured while it lasted.
import * as z from 'zod';
import type { ProviderPage } from '../kit/provider-pages.ts';
import type { OptionalNumber, RecordBuilder } from '../kit/record-builder.ts';
import { exerciseDistancePageName } from './data-types.ts';
import { GoogleInterval, GoogleNumber, readGoogleValues } from './points.ts';

const DistancePoint = z.looseObject({ interval: GoogleInterval, millimeters: GoogleNumber });

/**
 * The share of the active time that the points must cover. Below it, their sum is not the distance
 * of the workout.
 */
const minCoverage = 0.9;

interface WorkoutSpan {
  id: string | undefined;
  startMs: number;
  endMs: number;
  /** Excludes pauses. */
  activeSeconds: OptionalNumber;
}

interface DistanceSegment {
  startMs: number;
  endMs: number;
  millimetres: number;
}

/**
 * Looks up a distance in millimetres; null if the points do not cover the workout or add up to
 * zero.
 */
export function createDistanceLookup(
  builder: RecordBuilder,
  pages: readonly ProviderPage[],
): (workout: WorkoutSpan) => number | null {
  const byWorkout = new Map<string, Map<number, DistanceSegment>>();
  for (const { parameter: workoutId, value } of readGoogleValues(builder, pages, {
    resource: exerciseDistancePageName,
    type: 'distance',
    schema: DistancePoint,
  })) {
    if (workoutId === undefined) continue;
    const { startTime: startMs, endTime: endMs } = value.interval;
    const segments = byWorkout.get(workoutId) ?? new Map<number, DistanceSegment>();
    // Google omits zeros.
    segments.set(startMs, { startMs, endMs, millimetres: value.millimeters ?? 0 });
    byWorkout.set(workoutId, segments);
  }
  return ({ id, startMs, endMs, activeSeconds }) => {
    const segments = byWorkout.get(id ?? '')?.values() ?? [];
    const { coveredMs, millimetres } = sumWithin(startMs, endMs, [...segments]);
    const activeMs = Math.min(activeSeconds ? activeSeconds * 1000 : Number.POSITIVE_INFINITY, endMs - startMs);
    return coveredMs >= minCoverage * activeMs && millimetres > 0 ? millimetres : null;
  };
}

/**
 * A segment that extends beyond the workout counts by its share of time, and no time counts twice.
 */
function sumWithin(
  startMs: number,
  endMs: number,
  segments: readonly DistanceSegment[],
): { coveredMs: number; millimetres: number } {
  let [fromMs, coveredMs, millimetres] = [startMs, 0, 0];
  for (const segment of segments.toSorted((a, b) => a.startMs - b.startMs)) {
    const overlapMs = Math.min(segment.endMs, endMs) - Math.max(segment.startMs, fromMs);
    if (overlapMs <= 0) continue;
    coveredMs += overlapMs;
    millimetres += segment.millimetres * (overlapMs / (segment.endMs - segment.startMs));
    fromMs = Math.min(segment.endMs, endMs);
  }
  return { coveredMs, millimetres };
}
