// Computes all changes that a batch of one device's uploads causes. It only reads; nothing is
// written here.

import { isMetricId, isSessionMetric, type MetricId, sessionMetrics } from '../catalog/metrics.ts';
import { adjacencyDays, adjacentDates, overlaps, spanOf } from '../consolidation/adjacent-days.ts';
import { unpackNormalizedRows } from '../measurements/codec/normalized-day.ts';
import type { HeartRatePoint, Records, Sample } from '../measurements/records.ts';
import type { NormalizedItem } from '../measurements/rows/day-rows.ts';
import { type SleepRow, sessionRows, type Trace, type WorkoutRow } from '../measurements/rows/session-rows.ts';
import { type DayRule, datesInRange, localDate } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import type { DeviceRow } from '../users/device-rows.ts';
import { dayRuleOf, type UserContext } from '../users/user-context.ts';
import { type Arrival, collectSessionClaims, groupByArrival, type UploadRecords } from './claims.ts';
import {
  computeSampleChanges,
  type SampleArrival,
  type SampleChanges,
  type SampleClaim,
} from './compute-sample-changes.ts';
import { computeStatedTotals } from './compute-stated-totals.ts';
import { readNormalizedAround } from './consolidate-days.ts';
import { applyDayChanges, type ChangedDay, type DayChange } from './day-change.ts';
import {
  buildNightChange,
  buildSummaryChange,
  collectNights,
  deriveDays,
  findDaysWithoutSummary,
  findOverlappingNightDates,
} from './derive-days.ts';
import {
  type IncomingSession,
  type SessionChanges,
  type SessionContext,
  sessionDates,
  sleepDate,
  toSleepRows,
  toWorkoutRows,
  workoutDate,
} from './merge-sessions.ts';
import { type PlannedSessions, planSessions } from './plan-sessions.ts';
import type { UnfinishedDays } from './unfinished-days.ts';

export interface IngestPlan {
  samples: SampleChanges;
  sleep: PlannedSessions<SleepRow>;
  workouts: PlannedSessions<WorkoutRow>;
  /** New traces, by the day of their workout. */
  traces: Map<string, Trace[]>;
  /** Workouts with a trace that are no longer stored on any day, by the day they leave. */
  orphanedTraces: Map<string, string[]>;
  /** The device's days that change. */
  days: ChangedDay[];
  /**
   * Every day that is derived again, whether it differs or not, so that a previously interrupted
   * pass is completed.
   */
  dates: string[];
  /**
   * The normalized days of all devices on and around those dates after this plan is written;
   * undefined when it affects more days than were read.
   */
  normalized: Map<string, NormalizedItem> | undefined;
  /** Whether the device has ever sent samples of sleep stages. */
  stages: boolean;
}

export async function planIngest(
  deps: Deps,
  { user }: UserContext,
  device: DeviceRow,
  uploads: readonly UploadRecords[],
  unfinished: UnfinishedDays,
): Promise<IngestPlan> {
  const context: SessionContext = {
    userId: user.id,
    device: device.ordinal,
    deviceId: device.id,
    rule: dayRuleOf(user),
  };
  const arrivals = groupByArrival(uploads);
  const incoming = groupSampleArrivals(arrivals);
  const stageSamples = incoming.flatMap(({ samples }) => samples.filter(({ metric }) => isSessionMetric(metric)));
  const stages = device.stages || stageSamples.length > 0;
  const nights = toSleepRows(context, collectSessions(uploads, 'sleep'));
  const { rows: exercises, traces: points } = toWorkoutRows(context, collectSessions(uploads, 'workouts'));
  const totals = await computeStatedTotals(deps, context, arrivals);
  const nightsWithoutTotal = [...totals.datesWithoutTotal].flatMap(([metric, dates]) =>
    sessionMetrics.has(metric) ? [...dates] : [],
  );
  const [sleep, workouts] = await Promise.all([
    planSessions(deps, context, {
      kind: 'sleep',
      days: sessionRows(deps.store).sleep,
      rows: nights,
      claims: collectSessionClaims(arrivals, 'sleep', device.ordinal),
      dateOf: (row) => sleepDate(row, context.rule),
      extraDates: [
        ...sessionDates(stageSamples),
        ...findClaimedStageDates(incoming),
        ...nightsWithoutTotal,
        ...unfinished.dates,
      ],
      // A night and its stages affect days up to this far from its own, and deriving those days
      // needs the nights equally far around them.
      paddingDays: 2 * adjacencyDays,
    }),
    planSessions(deps, context, {
      kind: 'workouts',
      days: sessionRows(deps.store).workouts,
      rows: exercises,
      claims: collectSessionClaims(arrivals, 'workouts', device.ordinal),
      dateOf: (row) => workoutDate(row, context.rule),
      extraDates: [],
      // Claims are in the time zone of the request, which may differ from that of the days.
      paddingDays: hasOtherZoneClaims(arrivals, context.rule) ? adjacencyDays : 0,
    }),
  ]);

  const sleepDates = new Set(sleep.dates);
  for (const date of sleep.dates)
    for (const other of findOverlappingNightDates(sleep.now, sleep.before, date, device.ordinal)) sleepDates.add(other);
  if (unfinished.sleep) for (const date of unfinished.dates) sleepDates.add(date);
  for (const sample of stageSamples) sleepDates.add(localDate(sample.endMs, context.rule, sample));
  if (stages) for (const date of findClaimedStageDates(incoming)) sleepDates.add(date);
  for (const date of nightsWithoutTotal) sleepDates.add(date);
  const nightDates = stages ? new Set([...sleepDates].flatMap((date) => [date, ...adjacentDates(date)])) : sleepDates;
  const pendingDates = new Map<MetricId, Iterable<string>>();
  for (const metric of unfinished.metrics) pendingDates.set(metric, unfinished.dates);
  for (const metric of sessionMetrics)
    if (stages) pendingDates.set(metric, nightDates);
    else pendingDates.delete(metric);
  const removed = findDaysWithoutSummary(sleep.before, sleep.now, sleepDates, device.ordinal);
  for (const [metric, dates] of [...totals.datesWithoutTotal, ...removed])
    if (!sessionMetrics.has(metric)) pendingDates.set(metric, [...(pendingDates.get(metric) ?? []), ...dates]);
  const isPhone = device.connection === 'sdk';
  const samples = await computeSampleChanges(deps, { ...context, isPhone }, incoming, pendingDates);

  const changes = new Map<string, DayChange[]>();
  const addChange = (date: string, change: DayChange) => {
    const known = changes.get(date);
    if (known) known.push(change);
    else changes.set(date, [change]);
  };
  for (const { date, change } of totals.changes) addChange(date, change);
  for (const date of nightDates) addChange(date, buildSummaryChange(sleep.now, date, device.ordinal));
  deriveSamples(context, samples, addChange);
  deriveNights(context, samples, sleep, nightDates, addChange);
  for (const date of unfinished.dates) if (!changes.has(date)) changes.set(date, []);
  const traces = collectNewTraces(workouts, points);
  const orphanedTraces = findOrphanedTraces(workouts);
  return {
    samples,
    sleep,
    workouts,
    traces,
    orphanedTraces,
    stages,
    ...(await computeChangedDays(deps, user.id, device, changes)),
  };
}

function collectNewTraces(
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

function findOrphanedTraces({ before, now }: SessionChanges<WorkoutRow>): Map<string, string[]> {
  const currentIds = new Set(Array.from(now.values(), ({ sessions }) => sessions.map(({ id }) => id)).flat());
  const orphaned = new Map<string, string[]>();
  for (const { date, sessions } of before.values()) {
    const ids = sessions.flatMap(({ id, trace }) => (trace === null || currentIds.has(id) ? [] : id));
    if (ids.length > 0) orphaned.set(date, ids);
  }
  return orphaned;
}

/** Whether a source may have assigned its days by another rule than the current one. */
const hasOtherZoneClaims = (arrivals: readonly Arrival[], { zone, by }: DayRule): boolean =>
  by === 'recorded' || arrivals.some(({ covered }) => covered.some((each) => each.zone !== zone));

/** Arrivals without claims are merged into the preceding group. */
function groupSampleArrivals(arrivals: readonly Arrival[]): SampleArrival[] {
  const groups: { samples: Sample[]; claims: SampleClaim[] }[] = [];
  for (const { uploads, covered } of arrivals) {
    const claims = covered.flatMap(({ from, to, zone, samples = [] }) =>
      samples.map((metric) => ({ metric, days: { from, to }, zone })),
    );
    const last = groups.at(-1);
    const group = last && claims.length === 0 ? last : { samples: [], claims };
    if (group !== last) groups.push(group);
    for (const { records } of uploads) for (const sample of records.samples) group.samples.push(sample);
  }
  return groups;
}

/** Returns the days for which a source claims to have reported all sleep stages. */
const findClaimedStageDates = (arrivals: readonly SampleArrival[]): string[] =>
  arrivals.flatMap(({ claims }) =>
    claims.flatMap(({ metric, days }) => (isSessionMetric(metric) ? datesInRange(days.from, days.to) : [])),
  );

function collectSessions<Kind extends 'sleep' | 'workouts'>(
  uploads: readonly UploadRecords[],
  kind: Kind,
): IncomingSession<Records[Kind][number]>[] {
  return uploads.flatMap(({ receivedMs, records }) => records[kind].map((session) => ({ session, receivedMs })));
}

function deriveSamples(
  { rule }: SessionContext,
  samples: SampleChanges,
  addChange: (date: string, change: DayChange) => void,
): void {
  for (const [metric, dates] of samples.dates) {
    if (!isMetricId(metric) || sessionMetrics.has(metric)) continue;
    const derived = deriveDays(metric, samples.samplesOf(metric), rule, [], (date) => dates.has(date));
    for (const date of dates)
      addChange(date, (day) => {
        const derivedDay = derived.get(date);
        day.setDerived(metric, derivedDay?.value, derivedDay?.original);
        day.setTimeline(metric, derivedDay?.timeline);
      });
  }
}

function deriveNights(
  { device, rule }: SessionContext,
  samples: SampleChanges,
  sleep: SessionChanges<SleepRow>,
  dates: ReadonlySet<string>,
  addChange: (date: string, change: DayChange) => void,
): void {
  const nights = collectNights(sleep.now.values(), device);
  const derived = [...sessionMetrics].map((metric) => {
    const days = deriveDays(metric, samples.samplesOf(metric), rule, nights, (date) => dates.has(date));
    return [metric, days] as const;
  });
  for (const date of dates) {
    const stages = new Map(derived.map(([metric, days]) => [metric, days.get(date)]));
    addChange(date, buildNightChange(sleep.now, date, device, stages));
  }
}

async function computeChangedDays(
  deps: Deps,
  userId: string,
  device: DeviceRow,
  changes: ReadonlyMap<string, readonly DayChange[]>,
): Promise<Pick<IngestPlan, 'days' | 'dates' | 'normalized'>> {
  const normalized = await readNormalizedAround(deps, userId, [...changes.keys()]);
  const dates = new Set(changes.keys());
  const days: ChangedDay[] = [];
  for (const [date, dayChanges] of changes) {
    const { changed, spans } = applyDayChanges(date, normalized.get(date), device.ordinal, dayChanges);
    if (changed) days.push(changed);
    if (spans.length === 0) continue;
    for (const adjacentDate of adjacentDates(date)) {
      const other = normalized.get(adjacentDate);
      const otherSpan =
        other && spanOf(unpackNormalizedRows(other.packed).filter((row) => row.device !== device.ordinal));
      if (otherSpan && spans.some((span) => overlaps(span, otherSpan))) dates.add(adjacentDate);
    }
  }
  for (const { date, packed, revision } of days) normalized.set(date, { date, packed, revision: revision + 1 });
  return { days, dates: [...dates].sort(), normalized: dates.size === changes.size ? normalized : undefined };
}
