// Suunto's workouts. Their own key names them: the number beside it may be zero.
import type { MetricId } from '../../model/metrics.ts';
import type { DaysAsked } from '../days-asked.ts';
import type { Gathering } from '../gathering.ts';
import { lastOfEach, type ReadItem } from '../read-items.ts';
import { addWorkoutToDay } from '../workout-day.ts';
import { type SuuntoWorkout, suuntoSpan } from './items.ts';
import { suuntoBeats } from './units.ts';

const sports: ReadonlyMap<number, string> = new Map([
  [0, 'walking'],
  [1, 'running'],
  [2, 'cycling'],
  [3, 'cross_country_skiing'],
  [10, 'mountain_biking'],
  [11, 'hiking'],
  [13, 'downhill_skiing'],
  [15, 'rowing'],
  [21, 'swimming'],
  [22, 'trail_running'],
  [23, 'strength_training'],
  [24, 'nordic_walking'],
  [51, 'yoga'],
  [52, 'indoor_cycling'],
  [53, 'indoor_running'],
  [57, 'indoor_rowing'],
]);

export const suuntoWorkoutMetrics = [
  'exercise',
  'walking',
  'running',
  'indoor_running',
  'cycling',
  'indoor_cycling',
  'swimming',
] as const satisfies MetricId[];

export function gatherSuuntoWorkouts(
  gathering: Gathering,
  items: readonly ReadItem<SuuntoWorkout>[],
  days: DaysAsked,
): void {
  for (const { path, item } of lastOfEach(items, ({ workoutKey }) => workoutKey)) {
    const span = suuntoSpan(item);
    if (!days.holdsInstant(span.startMs, span.offsetMinutes)) continue;
    const type = sports.get(item.activityId ?? Number.NaN) ?? 'workout';
    const { hrdata, totalDistance: metres, totalTime } = item;
    gathering.workout(path, {
      ...span,
      sourceId: item.workoutKey,
      type,
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
