// Renders simulated days as COROS' items.
import { createHash } from 'node:crypto';
import type { SimulatedDay, SimulatedWorkout } from './simulated-day.ts';

const modes: Readonly<Record<string, number>> = { running: 8, cycling: 9, swimming: 10, walking: 31 };

/** 63 bits, as decimal digits. */
const toLabelId = (id: string): string =>
  String(createHash('sha256').update(id).digest().readBigUInt64BE() & 0x7fff_ffff_ffff_ffffn);

const workoutItem = (workout: SimulatedWorkout): object => ({
  labelId: toLabelId(workout.id),
  mode: modes[workout.sport] ?? 99,
  subMode: 1,
  deviceName: 'COROS PACE 3',
  distance: workout.distanceKm * 1000,
  duration: Math.round((workout.endMs - workout.startMs) / 1000),
  startTime: Math.round(workout.startMs / 1000),
  endTime: Math.round(workout.endMs / 1000),
  startTimezone: workout.offsetMinutes / 15,
  endTimezone: workout.offsetMinutes / 15,
  calorie: workout.kcal * 1000,
  avgSpeed: 300,
  avgFrequency: 172,
  step: workout.steps,
});

const formatLocalTime = (ms: number, offsetMinutes: number): string =>
  new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');

/** Zero means that nothing was measured. */
function dayItem(day: SimulatedDay): object {
  const night = day.sleeps.find(({ isNap }) => !isNap);
  return {
    happenDay: Number(day.date.replaceAll('-', '')),
    ...(night
      ? {
          sleepStartTime: formatLocalTime(night.startMs, night.offsetMinutes),
          sleepEndTime: formatLocalTime(night.endMs, night.offsetMinutes),
          startTimezone: night.offsetMinutes / 15,
          endTimezone: night.offsetMinutes / 15,
        }
      : {}),
    calorie: 5_200,
    ...(day.steps === null ? {} : { step: day.steps }),
    rhr: day.restingBpm ?? 0,
    ppgHrv: day.rmssdMs ?? 0,
    sleepAvgHr: day.sleepBpm ?? 0,
    hrvList: day.variability.map(({ ms, value }) => ({ hrv: value, timestamp: Math.round(ms / 1000) })),
  };
}

export function corosItems(resource: string, days: readonly SimulatedDay[]): readonly object[] {
  if (resource === 'sport') return days.flatMap(({ workouts }) => workouts.map(workoutItem));
  if (resource === 'daily') return days.filter(({ steps, sleeps }) => steps !== null || sleeps.length > 0).map(dayItem);
  return [];
}
