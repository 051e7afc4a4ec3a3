// Suunto's workouts. Their own key names them: the number beside it may be zero.
import { workoutDistances } from '../../catalog/workout-types.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import type { Gathering } from '../kit/gathering.ts';
import { lastOfEach, type ReadItem } from '../kit/read-items.ts';
import { addWorkoutToDay } from '../kit/workout-day.ts';
import { type SuuntoWorkout, suuntoSpan } from './items.ts';
import { suuntoBeats } from './units.ts';
import { suuntoWorkoutType } from './workout-types.ts';

export const suuntoWorkoutMetrics = ['exercise', ...workoutDistances] as const;

export function gatherSuuntoWorkouts(
  gathering: Gathering,
  items: readonly ReadItem<SuuntoWorkout>[],
  days: DaysAsked,
): void {
  for (const { path, item } of lastOfEach(items, ({ workoutKey }) => workoutKey)) {
    const span = suuntoSpan(item);
    if (!days.holdsInstant(span.startMs)) continue;
    const type = suuntoWorkoutType(item.activityId);
    const { hrdata, totalDistance: metres, totalTime } = item;
    gathering.workout(path, {
      ...span,
      sourceId: item.workoutKey,
      type,
      sourceType: item.activityId?.toString(),
      calories: item.energyConsumption || null,
      distanceKm: metres ? metres / 1000 : null,
      // `max` and `userMaxHR` are what the person has set, not what was measured.
      avgHeartRate: suuntoBeats(hrdata?.workoutAvgHR) ?? suuntoBeats(hrdata?.avg),
      maxHeartRate: suuntoBeats(hrdata?.workoutMaxHR) ?? suuntoBeats(hrdata?.hrmax),
      elevationMeters: item.totalAscent ?? null,
      steps: item.stepCount || null,
    });
    addWorkoutToDay(gathering, path, { ...span, type }, { metres, activeMinutes: totalTime ? totalTime / 60 : null });
  }
}
