// WHOOP's workouts, among which it counts everything that somebody starts by hand: rest in a sauna is no exercise.
import { toCanonical } from '../../catalog/metrics.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import { type Gathering, type Maybe, zeroIsNone } from '../kit/gathering.ts';
import type { ReadItem } from '../kit/read-items.ts';
import { addWorkoutToDay } from '../kit/workout-day.ts';
import type { WhoopWorkout } from './items.ts';
import { whoopWorkoutType } from './workout-types.ts';

/** Beside what its table says is recovery. */
const restful = /steam|plunge|cryotherapy|massage/i;

export function gatherWhoopWorkouts(
  gathering: Gathering,
  workouts: readonly ReadItem<WhoopWorkout>[],
  days: DaysAsked,
): void {
  for (const { path, item } of workouts) {
    const { start: startMs, end: endMs, timezone_offset: offsetMinutes, score } = item;
    if (!days.holdsInstant(startMs)) continue;
    const type = whoopWorkoutType(item);
    if (type === 'recovery' || restful.test(item.sport_name ?? '')) continue;
    const lasted = (endMs - startMs) / 60_000;
    if (type === 'meditation' || type === 'breathwork') {
      gathering.sample(path, 'mindfulness', { startMs, endMs, offsetMinutes }, lasted);
      continue;
    }
    gathering.workout(path, {
      sourceId: item.id,
      type,
      sourceType: item.sport_name ?? item.sport_id?.toString(),
      startMs,
      endMs,
      offsetMinutes,
      calories: inUnit('active_calories', score?.kilojoule, 'kJ'),
      distanceKm: inUnit('distance', score?.distance_meter, 'm'),
      avgHeartRate: zeroIsNone(score?.average_heart_rate),
      maxHeartRate: zeroIsNone(score?.max_heart_rate),
      elevationMeters: score?.altitude_gain_meter ?? null,
      strain: zeroIsNone(score?.strain),
    });
    addWorkoutToDay(
      gathering,
      path,
      { type, startMs, endMs, offsetMinutes },
      { metres: score?.distance_meter, activeMinutes: lasted },
    );
  }
}

const inUnit = (metric: 'active_calories' | 'distance', value: Maybe, unit: string): number | null =>
  value ? (toCanonical(metric, value, unit) ?? null) : null;
