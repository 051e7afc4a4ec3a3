// WHOOP's workouts, among which it counts everything that somebody starts by hand: rest in a sauna is no exercise.
import { toCanonical } from '../../model/metrics.ts';
import type { DaysAsked } from '../days-asked.ts';
import { type Gathering, type Maybe, zeroIsNone } from '../gathering.ts';
import type { ReadItem } from '../read-items.ts';
import { sportSlug } from '../sport-slug.ts';
import { addWorkoutToDay } from '../workout-day.ts';
import type { WhoopWorkout } from './items.ts';

const restful = /^(sauna|steam_room|ice_bath|cold_plunge|cryotherapy|air_compression|.*massage.*)$/;
const mindful = new Set(['meditation', 'breathwork']);

/** Under which of our sports a distance is added up, where WHOOP has a name of its own. */
const sports: Readonly<Record<string, string>> = {
  dog_walking: 'walking',
  stroller_walking: 'walking',
  stroller_jogging: 'running',
  hiking_rucking: 'hiking',
  spin: 'indoor_cycling',
};

export function gatherWhoopWorkouts(
  gathering: Gathering,
  workouts: readonly ReadItem<WhoopWorkout>[],
  days: DaysAsked,
): void {
  for (const { path, item } of workouts) {
    const { start: startMs, end: endMs, timezone_offset: offsetMinutes, score } = item;
    if (!days.holdsInstant(startMs, offsetMinutes)) continue;
    const type = sportSlug(item.sport_name ?? '');
    if (restful.test(type)) continue;
    const lasted = (endMs - startMs) / 60_000;
    if (mindful.has(type)) {
      gathering.sample(path, 'mindfulness', { startMs, endMs, offsetMinutes }, lasted);
      continue;
    }
    gathering.workout(path, {
      sourceId: item.id,
      type,
      startMs,
      endMs,
      offsetMinutes,
      calories: inUnit('active_calories', score?.kilojoule, 'kJ'),
      distanceKm: inUnit('distance', score?.distance_meter, 'm'),
      avgHeartRate: zeroIsNone(score?.average_heart_rate),
      maxHeartRate: zeroIsNone(score?.max_heart_rate),
      elevationMeters: score?.altitude_gain_meter ?? null,
    });
    addWorkoutToDay(
      gathering,
      path,
      { type: sports[type] ?? type, startMs, endMs, offsetMinutes },
      { metres: score?.distance_meter, activeMinutes: lasted },
    );
  }
}

const inUnit = (metric: 'active_calories' | 'distance', value: Maybe, unit: string): number | null =>
  value ? (toCanonical(metric, value, unit) ?? null) : null;
