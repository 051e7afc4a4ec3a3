// Helpers to render the fields that the sleep and workout lists of both forms share.

import { type MetricId, round } from '../../catalog/metrics.ts';
import { type WorkoutMeasureKey, workoutMeasures } from '../../catalog/workout-measures.ts';
import type { HeartRateZone } from '../../measurements/heart-rate-zones.ts';
import type { WorkoutRow } from '../../measurements/rows/session-rows.ts';
import { roundTo } from '../../platform/arithmetic.ts';

export const durationInMinutes = ({ startMs, endMs }: { startMs: number; endMs: number }): number =>
  Math.round((endMs - startMs) / 60_000);

export const roundOrNull = (decimals: number, value: number | null): number | null =>
  value === null ? null : roundTo(decimals, value);

const decimalsByMeasure = new Map<WorkoutMeasureKey, number>(
  workoutMeasures.map(({ key, precision }) => [key, precision]),
);

/** Null if the source did not supply it. */
export const presentMeasure = (key: WorkoutMeasureKey, row: WorkoutRow): number | null =>
  roundOrNull(decimalsByMeasure.get(key) ?? 0, row[key] ?? null);

/** Rounds like the metric of that name. */
export const roundMetricOrNull = (metric: MetricId, value: number | null): number | null =>
  value === null ? null : round(metric, value);

export const presentZoneMinutes = ({ minutes }: HeartRateZone): number => roundTo(1, minutes);
