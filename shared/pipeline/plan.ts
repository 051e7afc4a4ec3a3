// What some uploads of one device come to: everything is read and computed here, and nothing is written.

import { isMetricId, type MetricId } from '../catalog/metrics.ts';
import { isSleepMetric, sleepMetrics } from '../catalog/sleep-metrics.ts';
import { datesBeside, daysAside, overlap, spanOf } from '../consolidation/beside.ts';
import { unpackNormalizedRows } from '../measurements/codec/normalized-day.ts';
import type { HeartRatePoint, Records, Sample } from '../measurements/records.ts';
import type { NormalizedItem } from '../measurements/rows/day-rows.ts';
import { type SleepRow, sessionRows, type Trace, type WorkoutRow } from '../measurements/rows/session-rows.ts';
import { type DayRule, datesInRange, localDate } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import type { DeviceRow } from '../users/device-rows.ts';
import { dayRuleOf, type Subject } from '../users/subject.ts';
import type { BegunDays } from './begun-days.ts';
import { type Arrival, arrivalsOf, sessionClaims, type UploadRecords } from './claims.ts';
import { type ChangedDay, changedDay, type DayChange } from './day-change.ts';
import { applySummaries, daysWithoutSummary, derivedDays, nightChange, nightsBeside, nightsOf } from './derive.ts';
import { type PlannedSessions, plannedSessions } from './planned-sessions.ts';
import { type SampleArrival, type SampleChanges, type SampleClaim, sampleChanges } from './sample-changes.ts';
import {
  type IncomingSession,
  type SessionChanges,
  type SessionContext,
  sessionDates,
  sleepDate,
  sleepRows,
  workoutDate,
  workoutRows,
} from './session-changes.ts';
import { statedTotals } from './stated-totals.ts';
import { normalizedAround } from './touched-days.ts';

export interface Plan {
  samples: SampleChanges;
  sleep: PlannedSessions<SleepRow>;
  workouts: PlannedSessions<WorkoutRow>;
  /** Those that are new, by the day of their workout. */
  traces: Map<string, Trace[]>;
  /** Workouts that had one and stand nowhere any more, by the day they leave. */
  traceless: Map<string, string[]>;
  /** The device's days that differ. */
  days: ChangedDay[];
  /** Every day that is made anew, whether it then differs or not: what was cut short before is made whole. */
  dates: string[];
  /** What all devices say on those days and around them once this is written; undefined when more days are touched than were read. */
  normalized: Map<string, NormalizedItem> | undefined;
  /** Whether the device ever sent samples of sleep stages. */
  stages: boolean;
}

export async function planFor(
  deps: Deps,
  { user }: Subject,
  device: DeviceRow,
  uploads: readonly UploadRecords[],
  begun: BegunDays,
): Promise<Plan> {
  const context: SessionContext = {
    userId: user.id,
    device: device.ordinal,
    deviceId: device.id,
    rule: dayRuleOf(user),
  };
  const arrivals = arrivalsOf(uploads);
  const incoming = sampleArrivals(arrivals);
  const stageSamples = incoming.flatMap(({ samples }) => samples.filter(({ metric }) => isSleepMetric(metric)));
  const stages = device.stages || stageSamples.length > 0;
  const nights = sleepRows(context, sessionsIn(uploads, 'sleep'));
  const { rows: exercises, traces: points } = workoutRows(context, sessionsIn(uploads, 'workouts'));
  const totals = await statedTotals(deps, context, arrivals);
  const bareNights = [...totals.bare].flatMap(([metric, dates]) => (sleepMetrics.has(metric) ? [...dates] : []));
  const [sleep, workouts] = await Promise.all([
    plannedSessions(deps, context, {
      kind: 'sleep',
      days: sessionRows(deps.store).sleep,
      rows: nights,
      claims: sessionClaims(arrivals, 'sleep', device.ordinal),
      dateOf: (row) => sleepDate(row, context.rule),
      more: [...sessionDates(stageSamples), ...stageClaims(incoming), ...bareNights, ...begun.dates],
      // A night, and its stages, touch days so far from its own; what counts there needs the nights as far again.
      aside: 2 * daysAside,
    }),
    plannedSessions(deps, context, {
      kind: 'workouts',
      days: sessionRows(deps.store).workouts,
      rows: exercises,
      claims: sessionClaims(arrivals, 'workouts', device.ordinal),
      dateOf: (row) => workoutDate(row, context.rule),
      more: [],
      // Claims are made in the zone that the source was asked in, which may not be that of the days.
      aside: claimsElsewhere(arrivals, context.rule) ? daysAside : 0,
    }),
  ]);

  const slept = new Set(sleep.dates);
  for (const date of sleep.dates)
    for (const other of nightsBeside(sleep.now, sleep.before, date, device.ordinal)) slept.add(other);
  if (begun.sleep) for (const date of begun.dates) slept.add(date);
  for (const sample of stageSamples) slept.add(localDate(sample.endMs, context.rule, sample));
  if (stages) for (const date of stageClaims(incoming)) slept.add(date);
  for (const date of bareNights) slept.add(date);
  const nightly = stages ? new Set([...slept].flatMap((date) => [date, ...datesBeside(date)])) : slept;
  const owed = new Map<MetricId, Iterable<string>>();
  for (const metric of begun.metrics) owed.set(metric, begun.dates);
  for (const metric of sleepMetrics)
    if (stages) owed.set(metric, nightly);
    else owed.delete(metric);
  const removed = daysWithoutSummary(sleep.before, sleep.now, slept, device.ordinal);
  for (const [metric, dates] of [...totals.bare, ...removed])
    if (!sleepMetrics.has(metric)) owed.set(metric, [...(owed.get(metric) ?? []), ...dates]);
  const isPhone = device.connection === 'sdk';
  const samples = await sampleChanges(deps, { ...context, isPhone }, incoming, owed);

  const changes = new Map<string, DayChange[]>();
  const on = (date: string, change: DayChange) => {
    const known = changes.get(date);
    if (known) known.push(change);
    else changes.set(date, [change]);
  };
  for (const { date, change } of totals.changes) on(date, change);
  for (const date of nightly) on(date, applySummaries(sleep.now, date, device.ordinal));
  deriveSamples(context, samples, on);
  deriveNights(context, samples, sleep, nightly, on);
  for (const date of begun.dates) if (!changes.has(date)) changes.set(date, []);
  const traces = newTraces(workouts, points);
  const traceless = withoutTraces(workouts);
  return {
    samples,
    sleep,
    workouts,
    traces,
    traceless,
    stages,
    ...(await changedDays(deps, user.id, device, changes)),
  };
}

function newTraces(
  { days, before }: SessionChanges<WorkoutRow>,
  byName: ReadonlyMap<string, HeartRatePoint[]>,
): Map<string, Trace[]> {
  const nameOf = ({ id, trace }: WorkoutRow): string => `${id} ${trace}`;
  const known = new Set(Array.from(before.values(), ({ sessions }) => sessions.map(nameOf)).flat());
  const traces = new Map<string, Trace[]>();
  for (const { date, sessions } of days)
    for (const workout of sessions) {
      const points = workout.trace === null ? undefined : byName.get(workout.trace);
      if (!points || known.has(nameOf(workout))) continue;
      traces.set(date, [...(traces.get(date) ?? []), { workout: workout.id, name: String(workout.trace), points }]);
    }
  return traces;
}

function withoutTraces({ before, now }: SessionChanges<WorkoutRow>): Map<string, string[]> {
  const standing = new Set(Array.from(now.values(), ({ sessions }) => sessions.map(({ id }) => id)).flat());
  const gone = new Map<string, string[]>();
  for (const { date, sessions } of before.values()) {
    const ids = sessions.flatMap(({ id, trace }) => (trace === null || standing.has(id) ? [] : id));
    if (ids.length > 0) gone.set(date, ids);
  }
  return gone;
}

/** Whether a source may have counted its days otherwise than they are counted now. */
const claimsElsewhere = (arrivals: readonly Arrival[], { zone, by }: DayRule): boolean =>
  by === 'recorded' || arrivals.some(({ covered }) => covered.some((each) => each.zone !== zone));

/** What takes nothing back goes with what came before it. */
function sampleArrivals(arrivals: readonly Arrival[]): SampleArrival[] {
  const turns: { samples: Sample[]; claims: SampleClaim[] }[] = [];
  for (const { uploads, covered } of arrivals) {
    const claims = covered.flatMap(({ from, to, zone, samples = [] }) =>
      samples.map((metric) => ({ metric, days: { from, to }, zone })),
    );
    const last = turns.at(-1);
    const turn = last && claims.length === 0 ? last : { samples: [], claims };
    if (turn !== last) turns.push(turn);
    for (const { records } of uploads) for (const sample of records.samples) turn.samples.push(sample);
  }
  return turns;
}

/** The days on which a source says it has told all stages of sleep. */
const stageClaims = (arrivals: readonly SampleArrival[]): string[] =>
  arrivals.flatMap(({ claims }) =>
    claims.flatMap(({ metric, days }) => (isSleepMetric(metric) ? datesInRange(days.from, days.to) : [])),
  );

function sessionsIn<Kind extends 'sleep' | 'workouts'>(
  uploads: readonly UploadRecords[],
  kind: Kind,
): IncomingSession<Records[Kind][number]>[] {
  return uploads.flatMap(({ receivedMs, records }) => records[kind].map((session) => ({ session, receivedMs })));
}

function deriveSamples(
  { rule }: SessionContext,
  samples: SampleChanges,
  on: (date: string, change: DayChange) => void,
): void {
  for (const [metric, dates] of samples.dates) {
    if (!isMetricId(metric) || sleepMetrics.has(metric)) continue;
    const derived = derivedDays(metric, samples.samplesOf(metric), rule, [], (date) => dates.has(date));
    for (const date of dates)
      on(date, (day) => {
        const found = derived.get(date);
        day.derive(metric, found?.value, found?.original);
        day.time(metric, found?.timeline);
      });
  }
}

function deriveNights(
  { device, rule }: SessionContext,
  samples: SampleChanges,
  sleep: SessionChanges<SleepRow>,
  dates: ReadonlySet<string>,
  on: (date: string, change: DayChange) => void,
): void {
  const nights = nightsOf(sleep.now.values(), device);
  const derived = [...sleepMetrics].map((metric) => {
    const days = derivedDays(metric, samples.samplesOf(metric), rule, nights, (date) => dates.has(date));
    return [metric, days] as const;
  });
  for (const date of dates) {
    const stages = new Map(derived.map(([metric, days]) => [metric, days.get(date)]));
    on(date, nightChange(sleep.now, date, device, stages));
  }
}

async function changedDays(
  deps: Deps,
  userId: string,
  device: DeviceRow,
  changes: ReadonlyMap<string, readonly DayChange[]>,
): Promise<Pick<Plan, 'days' | 'dates' | 'normalized'>> {
  const normalized = await normalizedAround(deps, userId, [...changes.keys()]);
  const dates = new Set(changes.keys());
  const days: ChangedDay[] = [];
  for (const [date, made] of changes) {
    const { changed, spans } = changedDay(date, normalized.get(date), device.ordinal, made);
    if (changed) days.push(changed);
    if (spans.length === 0) continue;
    for (const beside of datesBeside(date)) {
      const other = normalized.get(beside);
      const theirs = other && spanOf(unpackNormalizedRows(other.packed).filter((row) => row.device !== device.ordinal));
      if (theirs && spans.some((span) => overlap(span, theirs))) dates.add(beside);
    }
  }
  for (const { date, packed, revision } of days) normalized.set(date, { date, packed, revision: revision + 1 });
  return { days, dates: [...dates].sort(), normalized: dates.size === changes.size ? normalized : undefined };
}
