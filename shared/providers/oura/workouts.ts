// Oura's workouts and sessions. It gives a workout no heart rate of its own: that is read off the readings of its time.

import { toCanonical } from '../../catalog/metrics.ts';
import type { HeartRatePoint } from '../../measurements/records.ts';
import { meanOf } from '../../platform/arithmetic.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import { type Gathering, zeroIsNone } from '../kit/gathering.ts';
import type { ReadItem } from '../kit/read-items.ts';
import { addWorkoutToDay } from '../kit/workout-day.ts';
import type { OuraSession, OuraWorkout } from './items.ts';
import { ouraWorkoutType } from './workout-types.ts';

export function gatherWorkouts(
  gathering: Gathering,
  workouts: readonly ReadItem<OuraWorkout>[],
  beats: readonly HeartRatePoint[],
  days: DaysAsked,
): void {
  for (const { path, item } of workouts) {
    const [startMs, endMs] = [item.start_datetime.ms, item.end_datetime.ms];
    const { offsetMinutes } = item.start_datetime;
    if (!days.holdsInstant(startMs)) continue;
    const trace = beats.filter(({ atMs }) => atMs >= startMs && atMs <= endMs);
    const bpm = trace.map((point) => point.bpm);
    const type = ouraWorkoutType(item.activity);
    gathering.workout(path, {
      sourceId: item.id,
      type,
      sourceType: item.activity,
      name: item.label ?? null,
      startMs,
      endMs,
      offsetMinutes,
      calories: zeroIsNone(item.calories),
      distanceKm: (item.distance ? toCanonical('distance', item.distance, 'm') : null) ?? null,
      avgHeartRate: bpm.length > 0 ? meanOf(bpm) : null,
      maxHeartRate: bpm.length > 0 ? Math.max(...bpm) : null,
      heartRate: trace,
    });
    addWorkoutToDay(gathering, path, { type, startMs, endMs, offsetMinutes }, { metres: item.distance });
  }
}

const mindful = ['breathing', 'meditation'];

export function gatherSessions(
  gathering: Gathering,
  sessions: readonly ReadItem<OuraSession>[],
  days: DaysAsked,
): void {
  for (const { path, item } of sessions) {
    const { ms: startMs, offsetMinutes } = item.start_datetime;
    if (!mindful.includes(item.type ?? '') || !days.holdsInstant(startMs)) continue;
    const span = { startMs, endMs: item.end_datetime.ms, offsetMinutes };
    gathering.sample(path, 'mindfulness', span, (span.endMs - startMs) / 60_000);
  }
}
