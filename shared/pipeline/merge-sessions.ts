// Merges uploaded sleep sessions and workouts into their days. A session is identified by its
// device and its source id, or else by its start. A version that ends later, or now counts on
// another day, replaces the earlier one.
import { createHash } from 'node:crypto';
import { countPackedStages, packStages } from '../measurements/codec/sleep-stages.ts';
import { isSameSession } from '../measurements/deduplicate-sessions.ts';
import type { HeartRatePoint, SleepRecord, WorkoutRecord } from '../measurements/records.ts';
import type { SessionDay, SleepRow, SummaryRow, WorkoutRow } from '../measurements/rows/session-rows.ts';
import { sumOf } from '../platform/arithmetic.ts';
import { addDays, type DateRange, type DayRule, localDate, todayIn, utcDay } from '../platform/time/local-day.ts';
import { uploadLimits } from '../providers/kit/upload-limits.ts';
import { makeId } from '../system/ids.ts';
import type { DeviceContext } from './compute-sample-changes.ts';
import { KnownSessions, type SessionIdentity, type SessionVersion } from './known-sessions.ts';
import { mergeSummary, type RemovedMetrics, toSummaryRow } from './night-summary.ts';

export interface SessionContext extends DeviceContext {
  deviceId: string;
}

/** A session as it arrived in an upload. */
export interface IncomingSession<Session> {
  session: Session;
  receivedMs: number;
}

export interface SessionChanges<Row> {
  /** The days to write, each with the revision it was read with. */
  days: SessionDay<Row>[];
  /** Every day on which one of the sessions counts or previously counted. */
  dates: Set<string>;
  /** Every day that was read, before the change. */
  before: ReadonlyMap<string, SessionDay<Row>>;
  /** The same days after the change. */
  now: Map<string, SessionDay<Row>>;
  /**
   * The number of sessions rejected because their day already has the maximum number of sessions of
   * the device.
   */
  overLimitCount: number;
}

/**
 * Returns the days on which an earlier version of a session may be stored: it had the same start
 * and lasted at most a day.
 */
export const sessionDates = (sessions: Iterable<{ startMs: number }>): string[] =>
  Array.from(new Set(Array.from(sessions, ({ startMs }) => utcDay(startMs)))).flatMap((day) =>
    [-2, -1, 0, 1, 2, 3].map((days) => addDays(day, days)),
  );

/** A night as it arrived, with the summary metrics it removes. */
export type IncomingNight = SleepRow & RemovedMetrics & Pick<SleepRecord, 'keepsStages'>;

export const toSleepRows = (
  context: SessionContext,
  sessions: readonly IncomingSession<SleepRecord>[],
): IncomingNight[] =>
  sessions.map((incoming): IncomingNight => {
    const { summary, stages, ...rest } = incoming.session;
    return {
      ...rest,
      ...buildSessionFields('sleep', context, incoming),
      ...(summary ? toSummaryRow(summary) : {}),
      ...(stages ? { stages: packStages(rest.startMs, stages) } : {}),
    };
  });

/** A night counts on the day it ends. */
export const sleepDate = (row: SleepRow, rule: DayRule): string => localDate(row.endMs, rule, row);

/** Traces are identified by a hash of their content. */
export function toWorkoutRows(
  context: SessionContext,
  workouts: readonly IncomingSession<WorkoutRecord>[],
): { rows: WorkoutRow[]; traces: Map<string, HeartRatePoint[]> } {
  const traces = new Map<string, HeartRatePoint[]>();
  const rows = workouts.map((incoming): WorkoutRow => {
    const { heartRate, ...rest } = incoming.session;
    const trace = heartRate ? hashTrace(heartRate) : null;
    if (heartRate && trace) traces.set(trace, heartRate);
    return { ...rest, ...buildSessionFields('workout', context, incoming), trace };
  });
  return { rows, traces };
}

/** A workout counts on the day it starts. */
export const workoutDate = (row: WorkoutRow, rule: DayRule): string => localDate(row.startMs, rule, row);

function buildSessionFields(
  kind: 'sleep' | 'workout',
  context: SessionContext,
  { session, receivedMs }: IncomingSession<SleepRecord | WorkoutRecord>,
) {
  const own = session.sourceId === undefined ? String(session.startMs) : JSON.stringify(session.sourceId);
  const name = createHash('sha256').update(`${context.userId} ${context.deviceId} ${own}`).digest();
  return {
    id: makeId(kind, session.startMs, name),
    device: context.device,
    receivedMs,
    offsetMinutes: session.offsetMinutes,
  };
}

const hashTrace = (points: readonly HeartRatePoint[]): string =>
  createHash('sha256').update(JSON.stringify(points)).digest('base64url').slice(0, 16);

export type MergeableSession = SessionIdentity &
  RemovedMetrics & {
    receivedMs: number;
    endMs: number;
    /**
     * As in the incoming record: `interim` marks a night that its source has not finished
     * analyzing, `outline` a workout that its source describes further in another record.
     */
    interim?: true | undefined;
    outline?: true | undefined;
    summary?: SummaryRow | undefined;
    /** The packed stages of a night. */
    stages?: string | undefined;
    keepsStages?: true | undefined;
  };

/**
 * Sessions that a device reported earlier on these days and that are missing from this arrival are
 * withdrawn. The days are in the time zone of the request, regardless of where its sessions count.
 */
export interface SessionClaim {
  device: number;
  receivedMs: number;
  days: DateRange;
  zone: string | null;
  /** Whether the start or the end of a session must be on one of the days. */
  by: 'startMs' | 'endMs';
}

/**
 * Merges uploads one after another, so that the result does not depend on how many of them a pass
 * processes together.
 */
export function mergeSessions<Row extends MergeableSession>(
  stored: readonly SessionDay<Row>[],
  incoming: readonly Row[],
  dateOf: (row: Row) => string,
  claims: readonly SessionClaim[] = [],
): SessionChanges<Row> {
  const before = new Map(stored.map((day) => [day.date, day]));
  const all: SessionChanges<Row> = { days: [], dates: new Set(), before, now: new Map(before), overLimitCount: 0 };
  const written = new Set<string>();
  const arrivals = new Set([...incoming, ...claims].map(({ receivedMs }) => receivedMs));
  for (const arrivedMs of [...arrivals].sort((a, b) => a - b)) {
    const own = <T extends { receivedMs: number }>(each: readonly T[]): T[] =>
      each.filter(({ receivedMs }) => receivedMs === arrivedMs);
    const merged = mergeArrival([...all.now.values()], own(incoming), dateOf, own(claims));
    for (const date of merged.dates) all.dates.add(date);
    for (const date of merged.rewrittenDates) written.add(date);
    all.overLimitCount += merged.overLimitCount;
    for (const [date, day] of merged.now) all.now.set(date, day);
  }
  const rowsBefore = groupById(stored);
  for (const [date, day] of all.now) {
    const sessions = day.sessions.map((row) => keepStoredVersion(rowsBefore, row, day.sessions));
    all.now.set(date, { ...day, sessions });
    if (written.has(date) || JSON.stringify(sessions) !== JSON.stringify(before.get(date)?.sessions ?? []))
      all.days.push({ ...day, sessions });
  }
  return all;
}

interface MergedArrival<Row> {
  dates: Set<string>;
  now: Map<string, SessionDay<Row>>;
  /**
   * Days with a session that is also stored on another day: rewriting them makes a stale writer's
   * update fail.
   */
  rewrittenDates: Set<string>;
  overLimitCount: number;
}

/**
 * Merges one upload. The last version wins, unless it is an interim one; an outline keeps the
 * fields it does not supply. The id stays that of the first version, so that the session keeps its
 * URL.
 */
function mergeArrival<Row extends MergeableSession>(
  stored: readonly SessionDay<Row>[],
  incoming: readonly Row[],
  dateOf: (row: Row) => string,
  claims: readonly SessionClaim[],
): MergedArrival<Row> {
  const rowsOn = new Map(stored.map(({ date, sessions }) => [date, new Set(sessions)]));
  const known = new KnownSessions<Row>();
  for (const { date, sessions } of stored) for (const row of sessions) known.add({ date, row, isStored: true });
  const dates = new Set<string>();
  const rewrittenDates = new Set<string>();
  for (const { device, receivedMs, days, zone, by } of claims)
    for (const [date, rows] of rowsOn)
      for (const row of rows) {
        if (row.device !== device || row.receivedMs >= receivedMs) continue;
        const claimed = todayIn(zone, row[by]);
        if (claimed < days.from || claimed > days.to) continue;
        for (const version of known.findVersions(row)) if (version.row === row) version.isStored = false;
        rows.delete(row);
        dates.add(date);
      }
  let overLimitCount = 0;
  for (const incomingRow of incoming) {
    const before = known.findVersions(incomingRow);
    const storedVersions = before.filter(({ isStored }) => isStored);
    const [first] = before;
    const version = selectVersion(incomingRow, before);
    const withStages = keepStages(version, first?.row);
    const reported: Row = mergeSummary(first ? { ...withStages, ...keepIdentity(first.row) } : withStages, first?.row);
    const same = before.find((each) => hasSameContent(each.row, reported));
    const row = same?.row ?? reported;
    const date = dateOf(row);
    const isFull = !storedVersions.some((each) => each.date === date) && isDayFull(rowsOn.get(date), row.device);
    if (isFull || hasTooManyStages(rowsOn.get(date), row, before)) {
      overLimitCount += 1;
      continue;
    }
    dates.add(date);
    for (const each of storedVersions) dates.add(each.date);
    if (storedVersions.length > 1) rewrittenDates.add(date);
    if (same?.isStored && before.length === 1 && same.date === date) continue;
    for (const each of before) {
      rowsOn.get(each.date)?.delete(each.row);
      known.remove(each);
    }
    rowsOn.set(date, (rowsOn.get(date) ?? new Set()).add(row));
    known.add({ date, row, isStored: true });
  }
  const rowsBefore = groupById(stored);
  const revisions = new Map(stored.map(({ date, revision }) => [date, revision]));
  const now = new Map<string, SessionDay<Row>>();
  for (const [date, rows] of rowsOn) {
    const sessions = sortSessions([...rows].map((row) => keepStoredVersion(rowsBefore, row)));
    now.set(date, { date, sessions, revision: revisions.get(date) ?? 0 });
  }
  return { dates, now, rewrittenDates, overLimitCount };
}

/**
 * A finished version stays, even if the same response that contains the interim version withdrew
 * it.
 */
function selectVersion<Row extends MergeableSession>(incomingRow: Row, before: readonly SessionVersion<Row>[]): Row {
  const [first] = before;
  if (incomingRow.outline) return fillOutline(incomingRow, first?.row);
  const finalVersion = incomingRow.interim ? before.find(({ row }) => !row.interim) : undefined;
  return finalVersion ? { ...finalVersion.row, receivedMs: incomingRow.receivedMs } : incomingRow;
}

/**
 * Stages that were not requested stay. They are counted from the start of the night, so only those
 * of a night with the same times are right. The cast is safe because the property is optional.
 */
function keepStages<Row extends MergeableSession>(version: Row, before: Row | undefined): Row {
  const { keepsStages, ...row } = version;
  const isSameTime = before?.startMs === version.startMs && before.endMs === version.endMs;
  const stages = keepsStages && isSameTime && before.stages !== undefined ? { stages: before.stages } : {};
  return { ...row, ...stages } as unknown as Row;
}

/**
 * The cast is safe because each value comes from one of the two rows. Whether a row was only an
 * outline is not stored.
 */
function fillOutline<Row extends MergeableSession>(incomingRow: Row, known: Row | undefined): Row {
  const stated = Object.entries(incomingRow).filter(([, value]) => value !== null && value !== undefined);
  const { outline: _outline, ...row } = { ...incomingRow, ...known, ...Object.fromEntries(stated) };
  return row as unknown as Row;
}

/**
 * A day is read and written as a whole, and a worker holds several days in memory, so the number of
 * sessions per day is limited.
 */
function isDayFull(rows: ReadonlySet<MergeableSession> | undefined, device: number): boolean {
  if (!rows || rows.size < uploadLimits.sessionsPerDay) return false;
  let own = 0;
  for (const row of rows) if (row.device === device) own += 1;
  return own >= uploadLimits.sessionsPerDay;
}

/** Stages are part of the day's item, too. Those of the versions that the row replaces do not count. */
function hasTooManyStages<Row extends MergeableSession>(
  rows: ReadonlySet<Row> | undefined,
  row: Row,
  replaced: readonly SessionVersion<Row>[],
): boolean {
  if (row.stages === undefined) return false;
  const others = [...(rows ?? [])].filter(
    (each) => each.device === row.device && !replaced.some((version) => version.row === each),
  );
  const counts = [row, ...others].map(({ stages = '' }) => countPackedStages(stages));
  return sumOf(counts) > uploadLimits.sleepStagesPerDay;
}

/** A source id, once known, is preserved as well. */
const keepIdentity = ({ id, sourceId }: MergeableSession) => ({
  id,
  ...(sourceId === undefined ? {} : { sourceId }),
});

/**
 * Keeps the stored row, with its arrival time, when an upload repeats its content. The exception:
 * an upload in between changed the session, and it must rank as newer than an overlapping one in
 * `others`.
 */
function keepStoredVersion<Row extends MergeableSession>(
  before: ReadonlyMap<string, readonly Row[]>,
  row: Row,
  others: readonly Row[] = [],
): Row {
  const old = before.get(row.id)?.find((each) => hasSameContent(each, row));
  if (!old) return row;
  const isBetween = (each: Row): boolean => each.receivedMs >= old.receivedMs && each.receivedMs <= row.receivedMs;
  const mustBeNewer = others.some(
    (each) => each.id !== row.id && each.device === row.device && isBetween(each) && isSameSession(each, row),
  );
  return mustBeNewer ? row : old;
}

/** A session that is being moved is stored on two days. */
const groupById = <Row extends MergeableSession>(days: readonly SessionDay<Row>[]): Map<string, Row[]> =>
  Map.groupBy(
    days.flatMap(({ sessions }) => sessions),
    ({ id }) => id,
  );

export const sortSessions = <Row extends { id: string; startMs: number }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1));

function hasSameContent<Row extends { receivedMs: number }>(a: Row, b: Row): boolean {
  const content = (row: Row) =>
    JSON.stringify(
      Object.entries({ ...row, receivedMs: 0 })
        .filter(([, value]) => value !== undefined)
        .sort(),
    );
  return content(a) === content(b);
}
