// How far a workout went that does not say so itself: from the distances that were measured while
// it lasted.
import * as z from 'zod';
import type { ProviderPage } from '../kit/provider-pages.ts';
import type { OptionalNumber, RecordBuilder } from '../kit/record-builder.ts';
import { exerciseDistancePageName } from './data-types.ts';
import { GoogleInterval, GoogleNumber, readGoogleValues } from './points.ts';

const DistancePoint = z.looseObject({ interval: GoogleInterval, millimeters: GoogleNumber });

/**
 * Of the time that the person was active: what was measured of less is not how far the workout
 * went.
 */
const minCoverage = 0.9;

interface WorkoutSpan {
  id: string | undefined;
  startMs: number;
  endMs: number;
  /** Without pauses. */
  activeSeconds: OptionalNumber;
}

interface DistanceSegment {
  startMs: number;
  endMs: number;
  millimetres: number;
}

/** In millimetres; null where the points do not cover the workout, or it went nowhere. */
export function createDistanceLookup(
  builder: RecordBuilder,
  pages: readonly ProviderPage[],
): (workout: WorkoutSpan) => number | null {
  const byWorkout = new Map<string, Map<number, DistanceSegment>>();
  for (const { of: workoutId, value } of readGoogleValues(builder, pages, {
    resource: exerciseDistancePageName,
    type: 'distance',
    schema: DistancePoint,
  })) {
    if (workoutId === undefined) continue;
    const { startTime: startMs, endTime: endMs } = value.interval;
    const segments = byWorkout.get(workoutId) ?? new Map<number, DistanceSegment>();
    // A zero is left out.
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
 * A piece that reaches over an end of the workout counts by its share of time; none counts twice.
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
