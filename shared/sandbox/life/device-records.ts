// The records that sandbox devices upload, and the formatting of local times.

import type { SleepStage } from '../../catalog/sleep-stages.ts';
import { type WorkoutMeasures, workoutMeasures } from '../../catalog/workout-measures.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import { formatUtcOffset } from '../../platform/time/utc-offset.ts';
import { offsetMinutesAt } from './location.ts';
import type { SimulatedUser } from './simulated-user.ts';

export interface UploadedSample {
  metric: string;
  start: string;
  end?: string;
  value: number;
  unit: string;
  utc_offset?: string;
}
export interface UploadedDaily {
  date: string;
  metric: string;
  value: number;
  unit: string;
}
export interface UploadedSleep {
  start: string;
  end: string;
  utc_offset?: string;
  asleep_minutes: number;
  deep_minutes: number;
  light_minutes: number;
  rem_minutes: number;
  awake_minutes: number;
  in_bed_minutes: number;
  stages: { stage: SleepStage; start: string; end: string }[];
}
export interface UploadedWorkout extends UploadedMeasures {
  type: string;
  name: string;
  start: string;
  end: string;
  utc_offset?: string;
  calories: number;
  distance_km: number;
  avg_heart_rate: number;
  max_heart_rate: number;
  elevation_meters?: number;
  steps?: number;
  heart_rate: { timestamp: string; bpm: number }[];
}

type UploadedMeasures = { [Name in (typeof workoutMeasures)[number]['name']]?: number };

/** By their names in uploads, without those that were not measured. */
export const toUploadedMeasures = (measures: WorkoutMeasures): UploadedMeasures =>
  Object.fromEntries(
    workoutMeasures.flatMap(({ key, name }) => (measures[key] === undefined ? [] : [[name, measures[key]]])),
  );

/** What one device reports for one date. */
export interface DeviceRecords {
  samples: UploadedSample[];
  daily: UploadedDaily[];
  sleep: UploadedSleep[];
  workouts: UploadedWorkout[];
}
export const emptyRecords: DeviceRecords = { samples: [], daily: [], sleep: [], workouts: [] };

/**
 * Travellers report their offset; for everyone else the profile's zone applies, even after it
 * changes.
 */
export const offsetField = (user: SimulatedUser, date: string, ms: number): { utc_offset?: string } =>
  user.habits.travels ? { utc_offset: formatUtcOffset(offsetMinutesAt(user, date, ms)) } : {};

export function buildSample(
  user: SimulatedUser,
  date: string,
  metric: string,
  unit: string,
  { startMs, endMs, value }: { startMs: number; endMs?: number; value: number },
): UploadedSample {
  return {
    metric,
    start: formatTimestamp(startMs),
    ...(endMs === undefined ? {} : { end: formatTimestamp(endMs) }),
    value,
    unit,
    ...offsetField(user, date, startMs),
  };
}
