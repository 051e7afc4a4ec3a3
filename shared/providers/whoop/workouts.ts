// WHOOP's workouts, which include everything that a user starts by hand. Rest in a sauna is not
// exercise.
import { toCanonical } from '../../catalog/metrics.ts';
import { addWorkoutToDay } from '../kit/add-workout-to-day.ts';
import type { ReadItem } from '../kit/read-items.ts';
import { type OptionalNumber, type RecordBuilder, zeroToNull } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import type { WhoopWorkout } from './items.ts';
import { whoopWorkoutType } from './workout-types.ts';

/** In addition to what the table maps to recovery. */
const restPattern = /steam|plunge|cryotherapy|massage/i;

export function addWhoopWorkouts(
  builder: RecordBuilder,
  workouts: readonly ReadItem<WhoopWorkout>[],
  days: RequestedDays,
): void {
  for (const { path, item } of workouts) {
    const { start: startMs, end: endMs, timezone_offset: offsetMinutes, score } = item;
    if (!days.includesInstant(startMs)) continue;
    const type = whoopWorkoutType(item);
    if (type === 'recovery' || restPattern.test(item.sport_name ?? '')) continue;
    const durationMinutes = (endMs - startMs) / 60_000;
    if (type === 'meditation' || type === 'breathwork') {
      builder.addSample(path, 'mindfulness', { startMs, endMs, offsetMinutes }, durationMinutes);
      continue;
    }
    builder.addWorkout(path, {
      sourceId: item.id,
      type,
      sourceType: item.sport_name ?? item.sport_id?.toString(),
      startMs,
      endMs,
      offsetMinutes,
      calories: toCanonicalOrNull('active_calories', score?.kilojoule, 'kJ'),
      distanceKm: toCanonicalOrNull('distance', score?.distance_meter, 'm'),
      avgHeartRate: zeroToNull(score?.average_heart_rate),
      maxHeartRate: zeroToNull(score?.max_heart_rate),
      elevationMeters: score?.altitude_gain_meter ?? null,
      strain: zeroToNull(score?.strain),
    });
    addWorkoutToDay(
      builder,
      path,
      { type, startMs, endMs, offsetMinutes },
      { metres: score?.distance_meter, activeMinutes: durationMinutes },
    );
  }
}

const toCanonicalOrNull = (
  metric: 'active_calories' | 'distance',
  value: OptionalNumber,
  unit: string,
): number | null => (value ? (toCanonical(metric, value, unit) ?? null) : null);
