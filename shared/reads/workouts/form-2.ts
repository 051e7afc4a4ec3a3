// Renders a page of the workout list, and the details of one workout.

import { round } from '../../catalog/metrics.ts';
import { getWorkoutTypeName } from '../../catalog/workout-type-catalog.ts';
import type { Presenter, Renderer } from '../../platform/presenter.ts';
import { formatLocalTime } from '../../platform/time/local-day.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import { presentDevice } from '../kit/source.ts';
import type { SessionsRequest, SessionsResult } from '../sessions/find-sessions.ts';
import { requestedSessions, type SessionsQuery } from '../sessions/requested-sessions.ts';
import {
  durationInMinutes,
  presentInstants,
  presentMeasure,
  presentZoneMinutes,
  roundMetricOrNull,
  roundOrNull,
} from '../sessions/session-fields.ts';
import type { Workout, WorkoutDetail, WorkoutList } from './form-2-schema.ts';
import type { WorkoutHeartRateSummary, WorkoutResult, WorkoutWithDevice } from './read-workouts.ts';

export const form2Workouts: Presenter<
  SessionsQuery,
  SessionsRequest,
  SessionsResult<WorkoutWithDevice>,
  Omit<WorkoutList, 'next_cursor'>
> = {
  parse: requestedSessions,
  render: ({ range, zone, sessions }, { include_sources }) => ({
    from_date: range.from,
    to_date: range.to,
    data: sessions.map((session) => presentWorkout(session, zone, include_sources)),
  }),
};

export interface WorkoutQuery {
  include_sources: boolean;
}

export const form2Workout: Renderer<WorkoutQuery, WorkoutResult, WorkoutDetail> = {
  render: (workout, { include_sources }) => ({
    ...presentWorkout(workout, workout.zone, include_sources),
    name: workout.row.name ?? getWorkoutTypeName(workout.row.type),
    metrics: {
      elevation_meters: roundOrNull(1, workout.row.elevationMeters),
      steps: roundMetricOrNull('steps', workout.row.steps),
      avg_speed_kmh: roundOrNull(2, workout.averageSpeedKmh),
      avg_pace_seconds_per_km: roundOrNull(0, workout.averagePaceSecondsPerKm),
      avg_mets: presentMeasure('avgMets', workout.row),
      weather_temperature_c: presentMeasure('weatherTemperatureC', workout.row),
      weather_humidity_pct: presentMeasure('weatherHumidityPct', workout.row),
      swimming_stroke_count: presentMeasure('swimmingStrokeCount', workout.row),
      swimming_lap_length_m: presentMeasure('swimmingLapLengthM', workout.row),
    },
    heart_rate: workout.heartRate && presentHeartRate(workout.heartRate, workout.zone),
  }),
};

function presentWorkout({ row, device }: WorkoutWithDevice, zone: string | null, includeSources: boolean): Workout {
  return {
    id: row.id,
    type: row.type,
    source_type: row.sourceType ?? null,
    start_time: formatLocalTime(row.startMs, zone),
    ...presentInstants(row),
    duration_minutes: durationInMinutes(row),
    calories: roundMetricOrNull('active_calories', row.calories),
    distance_km: roundMetricOrNull('distance', row.distanceKm),
    source: device.provider,
    avg_heart_rate: roundMetricOrNull('heart_rate', row.avgHeartRate),
    max_heart_rate: roundMetricOrNull('max_heart_rate', row.maxHeartRate),
    strain: presentMeasure('strain', row),
    ...(includeSources ? { source_detail: presentDevice(device) } : {}),
  };
}

const presentHeartRate = (
  { avgBpm, maxBpm, zones, steps, startMs }: WorkoutHeartRateSummary,
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
  samples: steps.map(({ atMs, bpm }) => ({ timestamp: formatLocalTime(atMs, zone), bpm: round('heart_rate', bpm) })),
  time_zone: zone ?? 'UTC',
  start_at: formatTimestamp(startMs),
});
