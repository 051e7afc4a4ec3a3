// What the sleep and the workout lists of both forms have in common on the wire.
import type { HeartRateZone } from '../domain/measurements/heart-rate-zones.ts';
import { roundTo } from '../model/arithmetic.ts';
import { type MetricId, round } from '../model/metrics.ts';
import { type WorkoutMeasureKey, workoutMeasures } from '../model/workout-measures.ts';
import type { WorkoutRow } from '../store/sessions.ts';

export const wholeMinutes = ({ startMs, endMs }: { startMs: number; endMs: number }): number =>
  Math.round((endMs - startMs) / 60_000);

export const roundedOrNull = (decimals: number, value: number | null): number | null =>
  value === null ? null : roundTo(decimals, value);

const decimals = new Map<WorkoutMeasureKey, number>(workoutMeasures.map(({ key, precision }) => [key, precision]));

/** Null where the source did not supply it. */
export const presentMeasure = (key: WorkoutMeasureKey, row: WorkoutRow): number | null =>
  roundedOrNull(decimals.get(key) ?? 0, row[key] ?? null);

/** As the metric of that name is shown. */
export const shown = (metric: MetricId, value: number | null): number | null =>
  value === null ? null : round(metric, value);

export const presentZoneMinutes = ({ minutes }: HeartRateZone): number => roundTo(1, minutes);
