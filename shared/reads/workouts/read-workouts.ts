// The workout list, page by page from either end, and one workout in full. Consolidation settings say nothing about workouts: the best-ranked device's report is shown.
import { daysAside } from '../../consolidation/beside.ts';
import { type HeartRateZone, heartRateZones, maximumHeartRate } from '../../measurements/heart-rate-zones.ts';
import type { HeartRatePoint } from '../../measurements/records.ts';
import { type SessionDay, sessionRows, type WorkoutRow } from '../../measurements/rows/session-rows.ts';
import {
  averagePaceSecondsPerKm,
  averageSpeedKmh,
  bucketedTrace,
  heartRateOf,
  traceWithin,
} from '../../measurements/workout.ts';
import { dayMs, utcDay } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { Failure } from '../../system/failure.ts';
import { timeIn, WorkoutId } from '../../system/ids.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { Subject } from '../../users/subject.ts';
import type { AskedRange, Range } from '../kit/range.ts';
import { ownSubjectAnd, ranked } from '../kit/reader.ts';
import { chosenDays } from '../sessions/session-page.ts';
import {
  choiceOf,
  type FoundSession,
  findSessions,
  type SessionsAsked,
  type SessionsRead,
  wholeRange,
} from '../sessions/sessions.ts';

export type FoundWorkout = Pick<FoundSession<WorkoutRow>, 'row' | 'device'>;

/** A workout with what its distance, duration and trace say. */
export interface WorkoutRead extends FoundWorkout {
  zone: string | null;
  averageSpeedKmh: number | null;
  averagePaceSecondsPerKm: number | null;
  /** Null without a trace. */
  heartRate: WorkoutHeart | null;
}
export interface WorkoutHeart {
  avgBpm: number;
  maxBpm: number;
  zones: HeartRateZone[];
  /** The trace in short steps. */
  steps: HeartRatePoint[];
}

export interface WorkoutsAtAsked {
  range: AskedRange;
  /** How many come before the page. */
  offset: number;
  limit: number;
}
export interface WorkoutsAtRead {
  range: Range;
  /** Earliest first: by day, then by start. */
  workouts: (FoundWorkout & { zones: HeartRateZone[] | null })[];
  /** How many the range has. */
  total: number;
}

const believedFor = (subject: Subject): DeviceRow[] => ranked(subject, 'exercise');

export async function readWorkouts(
  deps: Deps,
  caller: Caller,
  userId: string,
  asked: SessionsAsked,
): Promise<SessionsRead<FoundWorkout>> {
  const { range, subject, found, next } = await findSessions(deps, caller, userId, asked, workoutsOf(deps, userId));
  const sessions = found.map(({ row, device }) => ({ row, device }));
  return { range, zone: subject.user.timezone, sessions, next };
}

/** Counting takes the whole range; traces are read of the page alone, and only of workouts that have one. */
export async function readWorkoutsAt(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: asked, offset, limit }: WorkoutsAtAsked,
): Promise<WorkoutsAtRead> {
  const { range, subject, found } = await wholeRange(deps, caller, userId, asked, workoutsOf(deps, userId));
  const page = found.reverse().slice(offset, offset + limit);
  const zones = await zonesOfTraced(deps, subject, page);
  const workouts = page.map(({ row, device }) => ({ row, device, zones: zones.get(row.id) ?? null }));
  return { range, workouts, total: found.length };
}

async function zonesOfTraced(
  { store }: Deps,
  subject: Subject,
  page: readonly FoundSession<WorkoutRow>[],
): Promise<Map<string, HeartRateZone[] | null>> {
  const traced = new Map(page.filter(({ row }) => row.trace !== null).map((found) => [found.row.id, found]));
  const zones = new Map<string, HeartRateZone[] | null>();
  if (traced.size === 0) return zones;
  for await (const { workout, points } of sessionRows(store).traces(subject.user.id, [...traced.keys()])) {
    const found = traced.get(workout);
    if (found) zones.set(workout, zonesOf(found.row, found.date, traceWithin(points, found.row), subject));
  }
  return zones;
}

const workoutsOf = ({ store }: Deps, userId: string) => ({
  read: (from: string, to: string, daysAtOnce: number) =>
    sessionRows(store).workouts.newestFirst(userId, from, to, daysAtOnce),
  devices: believedFor,
});

/** Its id tells when it started, so only the days around that are read. A report that another device's outranks is not there for callers. */
export async function readWorkout(deps: Deps, caller: Caller, userId: string, workoutId: string): Promise<WorkoutRead> {
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
        row,
        device,
        zone: subject.user.timezone,
        averageSpeedKmh: averageSpeedKmh(row.distanceKm, row),
        averagePaceSecondsPerKm: averagePaceSecondsPerKm(row.distanceKm, row),
        heartRate: heartOf(row, date, row.trace === null ? null : traceWithin(trace, row), subject),
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

function heartOf(row: WorkoutRow, date: string, trace: HeartRatePoint[] | null, subject: Subject): WorkoutHeart | null {
  const { avgBpm, maxBpm } = heartRateOf({ ...row, heartRate: trace });
  const zones = zonesOf(row, date, trace, subject);
  if (trace === null || zones === null || avgBpm === null || maxBpm === null) return null;
  return { avgBpm, maxBpm, zones, steps: bucketedTrace(trace, row) };
}

function zonesOf(
  row: WorkoutRow,
  date: string,
  trace: HeartRatePoint[] | null,
  { user }: Subject,
): HeartRateZone[] | null {
  const { maxBpm } = heartRateOf({ ...row, heartRate: trace });
  return heartRateZones(trace, row.endMs, maximumHeartRate(user.profile.date_of_birth ?? null, date, maxBpm));
}
