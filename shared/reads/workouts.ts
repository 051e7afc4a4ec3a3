// The workout list, and one workout in full. Consolidation settings say nothing about workouts: the best-ranked device's report is shown.
import { daysAside } from '../domain/consolidation/beside.ts';
import type { Deps } from '../domain/deps.ts';
import { heartRateZones, maximumHeartRate } from '../domain/measurements/heart-rate-zones.ts';
import {
  averagePaceSecondsPerKm,
  averageSpeedKmh,
  bucketedTrace,
  heartRateOf,
  traceWithin,
} from '../domain/measurements/workout.ts';
import { clockIn, dayMs, utcDay } from '../domain/time/local-day.ts';
import type { Subject } from '../domain/users/subject.ts';
import type { Caller } from '../model/account.ts';
import { roundTo } from '../model/arithmetic.ts';
import { Failure } from '../model/failure.ts';
import { timeIn, WorkoutId } from '../model/ids.ts';
import { round } from '../model/metrics.ts';
import type { HeartRatePoint } from '../model/records.ts';
import type { Workout, WorkoutDetail, WorkoutList } from '../model/workout.ts';
import type { DeviceRow } from '../store/devices.ts';
import { type SessionDay, sessionRows, type WorkoutRow } from '../store/sessions.ts';
import { ownSubjectAnd, ranked, sessionSource } from './reader.ts';
import { chosenDays, type PagePlace } from './session-page.ts';
import { choiceOf, findSessions, type SessionQuery } from './sessions.ts';

const believedFor = (subject: Subject): DeviceRow[] => ranked(subject, 'exercise');

export async function readWorkouts(
  deps: Deps,
  caller: Caller,
  userId: string,
  query: SessionQuery,
): Promise<Omit<WorkoutList, 'next_cursor'> & { next: PagePlace | undefined }> {
  const { subject, range, found, next } = await findSessions<WorkoutRow>(deps, caller, userId, query, {
    read: (from, to, daysAtOnce) => sessionRows(deps.store).workouts.newestFirst(userId, from, to, daysAtOnce),
    devices: believedFor,
  });
  const { timezone } = subject.user;
  const data = found.map(({ row, device }) => presentWorkout(row, device, timezone, query.include_sources));
  return { from_date: range.from, to_date: range.to, data, next };
}

/** Its id tells when it started, so only the days around that are read. A report that another device's outranks is not there for callers. */
export async function readWorkout(
  deps: Deps,
  caller: Caller,
  userId: string,
  workoutId: string,
  query: { include_sources: boolean },
): Promise<WorkoutDetail> {
  const isId = WorkoutId.safeParse(workoutId).success;
  const startMs = isId ? timeIn(workoutId) : 0;
  const known = isId && startMs < latestMs;
  const [subject, [trace, days]] = await ownSubjectAnd(deps, caller, userId, async () =>
    known
      ? Promise.all([sessionRows(deps.store).trace(userId, workoutId), daysAround(deps, userId, startMs)])
      : ([null, []] as const),
  );
  const devices = believedFor(subject);
  for await (const { date, rows } of chosenDays(days, choiceOf<WorkoutRow>(devices))) {
    const row = rows.find(({ id }) => id === workoutId);
    const device = devices.find(({ ordinal }) => ordinal === row?.device);
    if (row && device)
      return {
        ...presentWorkout(row, device, subject.user.timezone, query.include_sources),
        ...presentDetail(row, date, row.trace === null ? null : traceWithin(trace, row), subject),
      };
  }
  throw new Failure('workout_not_found', `Workout ${workoutId.slice(0, 64)} not found.`);
}

const latestMs = Date.UTC(9999, 0, 1);
/** Its local day may be the one before or after, and a duplicate's so much further. */
const daysAroundStart = 1 + daysAside;

async function daysAround(deps: Deps, userId: string, startMs: number): Promise<SessionDay<WorkoutRow>[]> {
  const [from, to] = [utcDay(startMs - daysAroundStart * dayMs), utcDay(startMs + daysAroundStart * dayMs)];
  const days: SessionDay<WorkoutRow>[] = [];
  for await (const day of sessionRows(deps.store).workouts.newestFirst(userId, from, to, 2 * daysAroundStart + 1))
    days.push(day);
  return days;
}

const shown = (metric: Parameters<typeof round>[0], value: number | null): number | null =>
  value === null ? null : round(metric, value);

function presentWorkout(row: WorkoutRow, device: DeviceRow, zone: string | null, includeSources: boolean): Workout {
  return {
    id: row.id,
    type: row.type,
    start_time: clockIn(row.startMs, zone),
    duration_minutes: Math.round((row.endMs - row.startMs) / 60_000),
    calories: shown('active_calories', row.calories),
    distance_km: shown('distance', row.distanceKm),
    source: device.provider,
    avg_heart_rate: shown('heart_rate', row.avgHeartRate),
    max_heart_rate: shown('max_heart_rate', row.maxHeartRate),
    strain: null,
    ...(includeSources ? { source_detail: sessionSource(device) } : {}),
  };
}

function presentDetail(
  row: WorkoutRow,
  date: string,
  trace: HeartRatePoint[] | null,
  { user }: Subject,
): Pick<WorkoutDetail, 'name' | 'metrics' | 'heart_rate'> {
  return {
    name: row.name ?? inWords(row.type),
    metrics: {
      elevation_meters: row.elevationMeters === null ? null : roundTo(1, row.elevationMeters),
      steps: shown('steps', row.steps),
      avg_speed_kmh: averageSpeedKmh(row.distanceKm, row),
      avg_pace_seconds_per_km: averagePaceSecondsPerKm(row.distanceKm, row),
      avg_mets: null,
      weather_temperature_c: null,
      weather_humidity_pct: null,
      swimming_stroke_count: null,
      swimming_lap_length_m: null,
    },
    heart_rate: presentHeartRate(row, date, trace, user),
  };
}

function presentHeartRate(
  row: WorkoutRow,
  date: string,
  trace: HeartRatePoint[] | null,
  user: Subject['user'],
): WorkoutDetail['heart_rate'] {
  const { avgBpm, maxBpm } = heartRateOf({ ...row, heartRate: trace });
  const maximum = maximumHeartRate(user.profile.date_of_birth ?? null, date, maxBpm);
  const zones = heartRateZones(trace, row.endMs, maximum);
  if (trace === null || zones === null || avgBpm === null || maxBpm === null) return null;
  return {
    avg_bpm: round('heart_rate', avgBpm),
    max_bpm: round('max_heart_rate', maxBpm),
    zones,
    samples: bucketedTrace(trace, row).map(({ atMs, bpm }) => ({
      timestamp: clockIn(atMs, user.timezone),
      bpm: round('heart_rate', bpm),
    })),
  };
}

function inWords(type: string): string {
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
