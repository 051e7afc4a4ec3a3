// Computes workout values that the source did not supply from the heart-rate trace, distance and
// duration; null wherever an input is missing.
import { meanOf } from '../platform/arithmetic.ts';
import type { HeartRatePoint, WorkoutRecord } from './records.ts';
import type { Span } from './timeline.ts';

const secondMs = 1_000;
const hourMs = 3_600_000;

/** 15 seconds for workouts of up to one hour, 30 for up to three hours, otherwise 60. */
export function bucketSeconds({ startMs, endMs }: Span): 15 | 30 | 60 {
  const lengthMs = endMs - startMs;
  if (lengthMs <= hourMs) return 15;
  return lengthMs <= 3 * hourMs ? 30 : 60;
}

/**
 * Sources record slightly longer than the workout; only the points within it count. Null if there
 * are none.
 */
export function clipTrace(points: readonly HeartRatePoint[] | null, { startMs, endMs }: Span): HeartRatePoint[] | null {
  const within = points?.filter(({ atMs }) => atMs >= startMs && atMs <= endMs) ?? [];
  return within.length === 0 ? null : within;
}

/** Averages the trace in buckets counted from the start; buckets without a point are omitted. */
export function bucketTrace(points: readonly HeartRatePoint[], span: Span): HeartRatePoint[] {
  const stepMs = bucketSeconds(span) * secondMs;
  const buckets = Map.groupBy(points, ({ atMs }) => Math.floor((atMs - span.startMs) / stepMs));
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .map(([bucket, inside]) => ({ atMs: span.startMs + bucket * stepMs, bpm: averageBpm(inside) }));
}

const averageBpm = (points: readonly HeartRatePoint[]): number => meanOf(points.map(({ bpm }) => bpm));

/** Uses the values stated by the source, otherwise computes them from its trace. */
export function heartRateOf({
  avgHeartRate,
  maxHeartRate,
  heartRate,
}: Pick<WorkoutRecord, 'avgHeartRate' | 'maxHeartRate' | 'heartRate'>): {
  avgBpm: number | null;
  maxBpm: number | null;
} {
  const trace = heartRate === null || heartRate.length === 0 ? undefined : heartRate;
  return {
    avgBpm: avgHeartRate ?? (trace === undefined ? null : averageBpm(trace)),
    maxBpm: maxHeartRate ?? trace?.reduce((top, { bpm }) => Math.max(top, bpm), 0) ?? null,
  };
}

export function averageSpeedKmh(distanceKm: number | null, { startMs, endMs }: Span): number | null {
  if (distanceKm === null || endMs <= startMs) return null;
  return distanceKm / ((endMs - startMs) / hourMs);
}

export function averagePaceSecondsPerKm(distanceKm: number | null, { startMs, endMs }: Span): number | null {
  if (distanceKm === null || distanceKm <= 0 || endMs <= startMs) return null;
  return (endMs - startMs) / secondMs / distanceKm;
}
