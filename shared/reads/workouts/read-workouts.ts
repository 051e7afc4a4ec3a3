// Reads the workout list, by cursor or by offset, and the details of one workout. Consolidation
// settings do not apply to workouts: the record of the highest-ranked device is returned.

import { rankDevices } from '../../consolidation/rank-devices.ts';
import { computeHeartRateZones, computeMaxHeartRate, type HeartRateZone } from '../../measurements/heart-rate-zones.ts';
import type { HeartRatePoint } from '../../measurements/records.ts';
import { sessionRows, type WorkoutRow } from '../../measurements/rows/session-rows.ts';
import {
  averagePaceSecondsPerKm,
  averageSpeedKmh,
  bucketTrace,
  clipTrace,
  heartRateOf,
} from '../../measurements/workout.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { Failure } from '../../system/failure.ts';
import { WorkoutId } from '../../system/ids.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { UserContext } from '../../users/user-context.ts';
import type { Range, RequestedRange } from '../kit/range.ts';
import { readWithAuthorizedUser } from '../kit/reader.ts';
import { readDaysAround, selectSession } from '../sessions/find-session.ts';
import {
  findAllSessions,
  findSessions,
  type SessionsRequest,
  type SessionsResult,
  type SessionWithDevice,
} from '../sessions/find-sessions.ts';

/** The heart rates of `row` are those that the source states, otherwise those of its trace. */
export type WorkoutWithDevice = Pick<SessionWithDevice<WorkoutRow>, 'row' | 'device'>;

/** A workout with values computed from its distance, duration and trace. */
export interface WorkoutResult extends WorkoutWithDevice {
  zone: string | null;
  averageSpeedKmh: number | null;
  averagePaceSecondsPerKm: number | null;
  /** Null without a trace. */
  heartRate: WorkoutHeartRateSummary | null;
}
export interface WorkoutHeartRateSummary {
  avgBpm: number;
  maxBpm: number;
  zones: HeartRateZone[];
  /** The trace, averaged in short steps. */
  steps: HeartRatePoint[];
  /** The start of the first step. */
  startMs: number;
}

export interface WorkoutsAtOffsetRequest {
  range: RequestedRange;
  /** The number of workouts before the page. */
  offset: number;
  limit: number;
}
export interface WorkoutsAtOffsetResult {
  range: Range;
  /** Earliest first: by day, then by start. */
  workouts: (WorkoutWithDevice & { zones: HeartRateZone[] | null })[];
  /** The number of workouts in the range. */
  total: number;
}

const rankWorkoutDevices = (userContext: UserContext): DeviceRow[] => rankDevices(userContext, 'exercise');

export async function readWorkouts(
  deps: Deps,
  caller: Caller,
  userId: string,
  requested: SessionsRequest,
): Promise<SessionsResult<WorkoutWithDevice>> {
  const { range, userContext, sessions, next } = await findSessions(
    deps,
    caller,
    userId,
    requested,
    createWorkoutReader(deps, userId),
  );
  const incomplete = sessions.filter(({ row }) => row.avgHeartRate === null || row.maxHeartRate === null);
  const rows = await deriveFromTraces(deps, userId, incomplete, ({ row }, trace) => completeHeartRate(row, trace));
  const workouts = sessions.map(({ row, device }) => ({ row: rows.get(row.id) ?? row, device }));
  return { range, zone: userContext.user.timezone, sessions: workouts, next };
}

/**
 * Counting reads the whole range; traces are read only for the workouts of the page that have one.
 */
export async function readWorkoutsAtOffset(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: requested, offset, limit }: WorkoutsAtOffsetRequest,
): Promise<WorkoutsAtOffsetResult> {
  const { range, userContext, sessions } = await findAllSessions(
    deps,
    caller,
    userId,
    requested,
    createWorkoutReader(deps, userId),
  );
  const page = sessions.reverse().slice(offset, offset + limit);
  const derived = await deriveFromTraces(deps, userId, page, ({ row, date }, trace) => ({
    row: completeHeartRate(row, trace),
    zones: computeZones(row, date, trace, userContext),
  }));
  const workouts = page.map(({ row, device }) => ({ row, zones: null, ...derived.get(row.id), device }));
  return { range, workouts, total: sessions.length };
}

/** Holds one trace at a time. Workouts without a trace are omitted. */
async function deriveFromTraces<Derived>(
  { store }: Deps,
  userId: string,
  sessions: readonly SessionWithDevice<WorkoutRow>[],
  derive: (session: SessionWithDevice<WorkoutRow>, trace: HeartRatePoint[] | null) => Derived,
): Promise<Map<string, Derived>> {
  const tracedById = new Map(sessions.filter(({ row }) => row.trace !== null).map((found) => [found.row.id, found]));
  const derived = new Map<string, Derived>();
  if (tracedById.size === 0) return derived;
  for await (const { workout, points } of sessionRows(store).iterateTraces(userId, [...tracedById.keys()])) {
    const found = tracedById.get(workout);
    if (found) derived.set(workout, derive(found, clipTrace(points, found.row)));
  }
  return derived;
}

function completeHeartRate(row: WorkoutRow, trace: HeartRatePoint[] | null): WorkoutRow {
  const { avgBpm, maxBpm } = heartRateOf({ ...row, heartRate: trace });
  return { ...row, avgHeartRate: avgBpm, maxHeartRate: maxBpm };
}

const createWorkoutReader = ({ store }: Deps, userId: string) => ({
  read: (from: string, to: string, daysPerPage: number) =>
    sessionRows(store).workouts.iterateNewestFirst(userId, from, to, daysPerPage),
  devices: rankWorkoutDevices,
});

export async function readWorkout(
  deps: Deps,
  caller: Caller,
  userId: string,
  workoutId: string,
): Promise<WorkoutResult> {
  const isId = WorkoutId.safeParse(workoutId).success;
  const { findTrace, workouts } = sessionRows(deps.store);
  const [userContext, [trace, days]] = await readWithAuthorizedUser(deps, caller, userId, async () =>
    isId
      ? Promise.all([findTrace(userId, workoutId), readDaysAround(workouts, userId, workoutId, 0)])
      : ([null, []] as const),
  );
  const found = await selectSession<WorkoutRow>(days, rankWorkoutDevices(userContext), workoutId);
  if (!found) throw new Failure('workout_not_found', `Workout ${workoutId.slice(0, 64)} not found.`);
  const { row, date, device } = found;
  const clippedTrace = row.trace === null ? null : clipTrace(trace, row);
  return {
    row: completeHeartRate(row, clippedTrace),
    device,
    zone: userContext.user.timezone,
    averageSpeedKmh: averageSpeedKmh(row.distanceKm, row),
    averagePaceSecondsPerKm: averagePaceSecondsPerKm(row.distanceKm, row),
    heartRate: summarizeHeartRate(row, date, clippedTrace, userContext),
  };
}

function summarizeHeartRate(
  row: WorkoutRow,
  date: string,
  trace: HeartRatePoint[] | null,
  userContext: UserContext,
): WorkoutHeartRateSummary | null {
  const { avgBpm, maxBpm } = heartRateOf({ ...row, heartRate: trace });
  const zones = computeZones(row, date, trace, userContext);
  if (trace === null || zones === null || avgBpm === null || maxBpm === null) return null;
  const steps = bucketTrace(trace, row);
  return { avgBpm, maxBpm, zones, steps, startMs: steps[0]?.atMs ?? row.startMs };
}

function computeZones(
  row: WorkoutRow,
  date: string,
  trace: HeartRatePoint[] | null,
  { user }: UserContext,
): HeartRateZone[] | null {
  const { maxBpm } = heartRateOf({ ...row, heartRate: trace });
  return computeHeartRateZones(trace, row.endMs, computeMaxHeartRate(user.profile.date_of_birth ?? null, date, maxBpm));
}
