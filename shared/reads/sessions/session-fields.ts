// Helpers to render the fields that the sleep and workout lists of both forms share.

import { type MetricId, round } from '../../catalog/metrics.ts';
import { type WorkoutMeasureKey, workoutMeasures } from '../../catalog/workout-measures.ts';
import type { HeartRateZone } from '../../measurements/heart-rate-zones.ts';
import type { WorkoutRow } from '../../measurements/rows/session-rows.ts';
import { roundTo } from '../../platform/arithmetic.ts';
import type { WithOffset } from '../../platform/time/local-day.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import { presentUtcOffset } from '../../platform/time/utc-offset.ts';

interface SessionSpan {
  startMs: number;
  endMs: number;
}

/** The instants of a session, which Form 2 shows next to its clock times, and the offset at its place. */
export const presentInstants = ({ startMs, endMs, offsetMinutes }: SessionSpan & WithOffset) => ({
  start_at: formatTimestamp(startMs),
  end_at: formatTimestamp(endMs),
  utc_offset: presentUtcOffset({ offsetMinutes }),
});

export const durationInMinutes = ({ startMs, endMs }: SessionSpan): number => Math.round((endMs - startMs) / 60_000);

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
