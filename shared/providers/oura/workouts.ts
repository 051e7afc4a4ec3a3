// Oura's workouts and sessions. A workout has no heart rate of its own; it is taken from the
// readings during the workout.

import { toCanonical } from '../../catalog/metrics.ts';
import type { HeartRatePoint } from '../../measurements/records.ts';
import { meanOf } from '../../platform/arithmetic.ts';
import { addWorkoutToDay } from '../kit/add-workout-to-day.ts';
import type { ReadItem } from '../kit/read-items.ts';
import { type RecordBuilder, zeroToNull } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import type { OuraSession, OuraWorkout } from './items.ts';
import { ouraWorkoutType } from './workout-types.ts';

export function addOuraWorkouts(
  builder: RecordBuilder,
  workouts: readonly ReadItem<OuraWorkout>[],
  readings: readonly HeartRatePoint[],
  days: RequestedDays,
): void {
  for (const { path, item } of workouts) {
    const [startMs, endMs] = [item.start_datetime.ms, item.end_datetime.ms];
    const { offsetMinutes } = item.start_datetime;
    if (!days.includesInstant(startMs)) continue;
    const trace = readings.filter(({ atMs }) => atMs >= startMs && atMs <= endMs);
    const bpm = trace.map((point) => point.bpm);
    const type = ouraWorkoutType(item.activity);
    builder.addWorkout(path, {
      sourceId: item.id,
      type,
      sourceType: item.activity,
      name: item.label ?? null,
      startMs,
      endMs,
      offsetMinutes,
      calories: zeroToNull(item.calories),
      distanceKm: (item.distance ? toCanonical('distance', item.distance, 'm') : null) ?? null,
      avgHeartRate: bpm.length > 0 ? meanOf(bpm) : null,
      maxHeartRate: bpm.length > 0 ? Math.max(...bpm) : null,
      heartRate: trace,
    });
    addWorkoutToDay(builder, path, { type, startMs, endMs, offsetMinutes }, { metres: item.distance });
  }
}

const mindfulTypes = ['breathing', 'meditation'];

export function addOuraSessions(
  builder: RecordBuilder,
  sessions: readonly ReadItem<OuraSession>[],
  days: RequestedDays,
): void {
  for (const { path, item } of sessions) {
    const { ms: startMs, offsetMinutes } = item.start_datetime;
    if (!mindfulTypes.includes(item.type ?? '') || !days.includesInstant(startMs)) continue;
    const span = { startMs, endMs: item.end_datetime.ms, offsetMinutes };
    builder.addSample(path, 'mindfulness', span, (span.endMs - startMs) / 60_000);
  }
}
