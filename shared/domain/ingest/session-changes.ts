// Works an upload's sleep sessions and workouts into their days. A session's id comes from its device and times, so the same one never doubles.
import { createHash } from 'node:crypto';
import { makeId } from '../../model/ids.ts';
import type { HeartRatePoint, SleepSession, Workout } from '../../model/records.ts';
import type { SessionDay, SleepRow, WorkoutRow } from '../../store/sessions.ts';
import type { Deps } from '../deps.ts';
import { localDate } from '../local-day.ts';
import { nightDate } from '../sleep.ts';
import type { DeviceContext } from './sample-changes.ts';

export interface SessionContext extends DeviceContext {
  deviceId: string;
  receivedMs: number;
}

export interface SessionChanges<Row> {
  /** The days to write, each with the revision it was read with. */
  days: SessionDay<Row>[];
  /** Every day the upload speaks of, as it is afterwards. */
  spokenOf: Map<string, Row[]>;
}

export async function sleepChanges(
  deps: Deps,
  context: SessionContext,
  sessions: readonly SleepSession[],
): Promise<SessionChanges<SleepRow>> {
  const rows = sessions.map((session): SleepRow => {
    const { date, ...rest } = session;
    return { ...rest, ...about('sleep', context, session), statedDate: date ?? null };
  });
  return intoDays(
    rows,
    (row) => sleepDate(row, context.profileZone),
    (dates) => deps.store.sessions.sleep.on(context.userId, dates),
  );
}

export const sleepDate = (row: SleepRow, profileZone: string | null): string =>
  row.statedDate ?? nightDate(row, { ...row, profileZone });

export async function workoutChanges(
  deps: Deps,
  context: SessionContext,
  workouts: readonly Workout[],
): Promise<SessionChanges<WorkoutRow> & { traces: Map<string, HeartRatePoint[]> }> {
  const traces = new Map<string, HeartRatePoint[]>();
  const rows = workouts.map((workout): WorkoutRow => {
    const { heartRate, ...rest } = workout;
    const row = { ...rest, ...about('workout', context, workout), trace: heartRate ? traceName(heartRate) : null };
    if (heartRate) traces.set(row.id, heartRate);
    return row;
  });
  const changes = await intoDays(
    rows,
    (row) => workoutDate(row, context.profileZone),
    (dates) => deps.store.sessions.workouts.on(context.userId, dates),
  );
  return { ...changes, traces };
}

export const workoutDate = (row: WorkoutRow, profileZone: string | null): string =>
  localDate(row.startMs, { ...row, profileZone });

function about(
  kind: 'sleep' | 'workout',
  context: SessionContext,
  session: { startMs: number; endMs: number; offsetMinutes: number | null },
) {
  const { startMs, endMs, offsetMinutes } = session;
  const name = createHash('sha256').update(`${context.userId} ${context.deviceId} ${startMs} ${endMs}`).digest();
  return {
    id: makeId(kind, startMs, name),
    device: context.device,
    receivedMs: context.receivedMs,
    offsetMinutes,
    fallbackOffsetMinutes: context.fallbackOffsetMinutes(kind === 'sleep' ? endMs : startMs),
  };
}

const traceName = (points: readonly HeartRatePoint[]): string =>
  createHash('sha256').update(JSON.stringify(points)).digest('base64url').slice(0, 16);

async function intoDays<Row extends { id: string; startMs: number; receivedMs: number }>(
  rows: readonly Row[],
  dateOf: (row: Row) => string,
  read: (dates: string[]) => Promise<Map<string, SessionDay<Row>>>,
): Promise<SessionChanges<Row>> {
  const byDate = Map.groupBy(rows, dateOf);
  const stored = await read([...byDate.keys()]);
  const days: SessionDay<Row>[] = [];
  const spokenOf = new Map<string, Row[]>();
  for (const [date, incoming] of byDate) {
    const known = stored.get(date);
    const sessions = upserted(known?.sessions ?? [], incoming);
    spokenOf.set(date, sessions);
    if (JSON.stringify(sessions) !== JSON.stringify(known?.sessions ?? []))
      days.push({ date, sessions, revision: known?.revision ?? 0 });
  }
  return { days, spokenOf };
}

/** The later of two with one id wins; one that says the same again is left as it was. */
function upserted<Row extends { id: string; startMs: number; receivedMs: number }>(
  kept: readonly Row[],
  incoming: readonly Row[],
): Row[] {
  const byId = new Map(kept.map((row) => [row.id, row]));
  for (const row of incoming) {
    const known = byId.get(row.id);
    if (!known || !sameContent(known, row)) byId.set(row.id, row);
  }
  return [...byId.values()].sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1));
}

function sameContent<Row extends { receivedMs: number }>(a: Row, b: Row): boolean {
  const content = (row: Row) => JSON.stringify(Object.entries({ ...row, receivedMs: 0 }).sort());
  return content(a) === content(b);
}
