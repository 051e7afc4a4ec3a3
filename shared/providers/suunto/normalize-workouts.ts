// Suunto's workouts, identified by their key, because the number next to it may be zero.
import { workoutDistanceMetrics } from '../../catalog/workout-types.ts';
import { addWorkoutToDay } from '../kit/add-workout-to-day.ts';
import { keepLastPerKey, type ReadItem } from '../kit/read-items.ts';
import type { RecordBuilder } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { readSuuntoSpan, type SuuntoWorkout } from './items.ts';
import { toSuuntoBpm } from './units.ts';
import { suuntoWorkoutType } from './workout-types.ts';

export const suuntoWorkoutMetrics = ['exercise', ...workoutDistanceMetrics] as const;

export function addSuuntoWorkouts(
  builder: RecordBuilder,
  items: readonly ReadItem<SuuntoWorkout>[],
  days: RequestedDays,
): void {
  for (const { path, item } of keepLastPerKey(items, ({ workoutKey }) => workoutKey)) {
    const span = readSuuntoSpan(item);
    if (!days.includesInstant(span.startMs)) continue;
    const type = suuntoWorkoutType(item.activityId);
    const { hrdata, totalDistance: metres, totalTime } = item;
    builder.addWorkout(path, {
      ...span,
      sourceId: item.workoutKey,
      type,
      sourceType: item.activityId?.toString(),
      calories: item.energyConsumption || null,
      distanceKm: metres ? metres / 1000 : null,
      // `max` and `userMaxHR` are the user's settings, not measurements.
      avgHeartRate: toSuuntoBpm(hrdata?.workoutAvgHR) ?? toSuuntoBpm(hrdata?.avg),
      maxHeartRate: toSuuntoBpm(hrdata?.workoutMaxHR) ?? toSuuntoBpm(hrdata?.hrmax),
      elevationMeters: item.totalAscent ?? null,
      steps: item.stepCount || null,
    });
    addWorkoutToDay(builder, path, { ...span, type }, { metres, activeMinutes: totalTime ? totalTime / 60 : null });
  }
}
