// The workout list, and one workout in full.

import { round } from '../../catalog/metrics.ts';
import { displayNameOf } from '../../catalog/workout-type-catalog.ts';
import type { Face, Presenter } from '../../platform/presenter.ts';
import { clockIn } from '../../platform/time/local-day.ts';
import { presentDevice } from '../kit/present-device.ts';
import { askedSessions, type SessionsQuery } from '../sessions/asked-sessions.ts';
import { presentMeasure, presentZoneMinutes, roundedOrNull, shown, wholeMinutes } from '../sessions/session-fields.ts';
import type { SessionsAsked, SessionsRead } from '../sessions/sessions.ts';
import type { Workout, WorkoutDetail, WorkoutList } from './form-2-schema.ts';
import type { FoundWorkout, WorkoutHeart, WorkoutRead } from './read-workouts.ts';

export const form2Workouts: Face<
  SessionsQuery,
  SessionsAsked,
  SessionsRead<FoundWorkout>,
  Omit<WorkoutList, 'next_cursor'>
> = {
  asked: askedSessions,
  present: ({ range, zone, sessions }, { include_sources }) => ({
    from_date: range.from,
    to_date: range.to,
    data: sessions.map((session) => presentWorkout(session, zone, include_sources)),
  }),
};

export interface WorkoutQuery {
  include_sources: boolean;
}

export const form2Workout: Presenter<WorkoutQuery, WorkoutRead, WorkoutDetail> = {
  present: (found, { include_sources }) => ({
    ...presentWorkout(found, found.zone, include_sources),
    name: found.row.name ?? displayNameOf(found.row.type),
    metrics: {
      elevation_meters: roundedOrNull(1, found.row.elevationMeters),
      steps: shown('steps', found.row.steps),
      avg_speed_kmh: roundedOrNull(2, found.averageSpeedKmh),
      avg_pace_seconds_per_km: roundedOrNull(0, found.averagePaceSecondsPerKm),
      avg_mets: presentMeasure('avgMets', found.row),
      weather_temperature_c: presentMeasure('weatherTemperatureC', found.row),
      weather_humidity_pct: presentMeasure('weatherHumidityPct', found.row),
      swimming_stroke_count: presentMeasure('swimmingStrokeCount', found.row),
      swimming_lap_length_m: presentMeasure('swimmingLapLengthM', found.row),
    },
    heart_rate: found.heartRate && presentHeart(found.heartRate, found.zone),
  }),
};

function presentWorkout({ row, device }: FoundWorkout, zone: string | null, includeSources: boolean): Workout {
  return {
    id: row.id,
    type: row.type,
    source_type: row.sourceType ?? null,
    start_time: clockIn(row.startMs, zone),
    duration_minutes: wholeMinutes(row),
    calories: shown('active_calories', row.calories),
    distance_km: shown('distance', row.distanceKm),
    source: device.provider,
    avg_heart_rate: shown('heart_rate', row.avgHeartRate),
    max_heart_rate: shown('max_heart_rate', row.maxHeartRate),
    strain: presentMeasure('strain', row),
    ...(includeSources ? { source_detail: presentDevice(device) } : {}),
  };
}

const presentHeart = (
  { avgBpm, maxBpm, zones, steps }: WorkoutHeart,
  zone: string | null,
): WorkoutDetail['heart_rate'] => ({
  avg_bpm: round('heart_rate', avgBpm),
  max_bpm: round('max_heart_rate', maxBpm),
  zones: zones.map((each) => ({
    zone: each.zone,
    min_bpm: each.minBpm,
    max_bpm: each.maxBpm,
    minutes: presentZoneMinutes(each),
  })),
  samples: steps.map(({ atMs, bpm }) => ({ timestamp: clockIn(atMs, zone), bpm: round('heart_rate', bpm) })),
});
