// A user moved to another time zone: everything derived from instants finds its local day anew; days that a source stated stay.
import { TransactionRefused } from '../../engine/ports.ts';
import { metricTable } from '../../model/metric-table.ts';
import type { MetricId } from '../../model/metrics.ts';
import { sleepMetrics } from '../../model/sleep-metrics.ts';
import type { KeptSample } from '../../store/codec/sample-block.ts';
import type { NormalizedItem } from '../../store/days.ts';
import type { Rezoning } from '../../store/rezonings.ts';
import type { SessionDay, SleepRow } from '../../store/sessions.ts';
import { allHeld } from '../all-held.ts';
import { consolidateDays } from '../consolidation/touched-days.ts';
import type { Deps } from '../deps.ts';
import { askingForScores, wakeScoring } from '../scores/ask.ts';
import { activeDevices, type Subject } from '../subject.ts';
import { changedDay, type DayChange } from './day-change.ts';
import { type DerivedDay, derivedDays, nightChange, nightsOf } from './derive.ts';
import { sleepDate, sorted, workoutDate } from './session-changes.ts';

const firstDay = '0000-01-01';
const lastDay = '9999-12-31';

/** By date, then metric: what one device's samples say. */
type DerivedDays = Map<string, Map<MetricId, DerivedDay>>;

/** False when another worker came between, and it is to be done again. */
export async function rederive(deps: Deps, subject: Subject, asked: Rezoning | undefined): Promise<boolean> {
  const { store } = deps;
  const { id: userId, timezone } = subject.user;
  const nights = await rehome(store.sessions.sleep, userId, (row) => sleepDate(row, timezone));
  const workouts = await rehome(store.sessions.workouts, userId, (row) => workoutDate(row, timezone));
  if (!nights || !workouts) return false;
  const derived = await deriveSamples(deps, subject, nights);
  const dates = await rewriteDays(deps, subject, derived, nights);
  if (!dates) return false;
  await consolidateDays(deps, subject, dates);
  const asksForScores = askingForScores(deps, userId, dates[0] ?? null, dates.at(-1) ?? null);
  try {
    await store.commit([
      ...(asked ? [store.rezonings.finishing(userId, asked)] : []),
      store.users.settling(subject.user),
      ...asksForScores,
    ]);
  } catch (error) {
    if (error instanceof TransactionRefused) return false;
    throw error;
  }
  if (asksForScores.length > 0) await wakeScoring(deps, userId);
  return true;
}

/** By device. Items come by metric, so one metric's samples are in memory at a time. */
async function deriveSamples(
  { store }: Deps,
  { user, devices }: Subject,
  nights: readonly SessionDay<SleepRow>[],
): Promise<Map<number, DerivedDays>> {
  const derived = new Map<number, DerivedDays>(activeDevices(devices).map(({ ordinal }) => [ordinal, new Map()]));
  const nightsBy = new Map(Array.from(derived.keys(), (device) => [device, nightsOf(nights, device)]));
  let metric: MetricId | undefined;
  let samples = new Map<number, KeptSample[]>();
  const close = () => {
    if (metric !== undefined)
      for (const [device, own] of samples)
        for (const [date, day] of derivedDays(metric, own, user.timezone, nightsBy.get(device) ?? [], () => true))
          partOf(derived.get(device), date)?.set(metric, day);
    samples = new Map();
  };
  for await (const day of store.samples.all(user.id)) {
    if (day.metric !== metric) close();
    metric = day.metric;
    const own = samples.get(day.device) ?? [];
    samples.set(day.device, own);
    for (const sample of day.samples) own.push(sample);
  }
  close();
  return derived;
}

function partOf(days: DerivedDays | undefined, date: string): Map<MetricId, DerivedDay> | undefined {
  const part = days?.get(date) ?? new Map<MetricId, DerivedDay>();
  days?.set(date, part);
  return part;
}

interface SessionDays<Row> {
  all(user: string): AsyncGenerator<SessionDay<Row>>;
  replace(user: string, day: SessionDay<Row>): Promise<boolean>;
}

/** The new day is written before the old one lets go, so nothing is ever missing; every session stands once in the end. Undefined when somebody came between. */
async function rehome<Row extends { id: string; startMs: number; receivedMs: number }>(
  days: SessionDays<Row>,
  userId: string,
  dateFor: (row: Row) => string,
): Promise<SessionDay<Row>[] | undefined> {
  const stored: SessionDay<Row>[] = [];
  for await (const day of days.all(userId)) stored.push(day);
  const unique = new Map<string, Row>();
  for (const row of stored.flatMap(({ sessions }) => sessions)) {
    const other = unique.get(row.id);
    if (!other || other.receivedMs <= row.receivedMs) unique.set(row.id, row);
  }
  const wanted = Map.groupBy(unique.values(), dateFor);
  const before = new Map(stored.map((day) => [day.date, day]));
  const all = [...new Set([...wanted.keys(), ...before.keys()])].map((date) => ({
    date,
    sessions: sorted(wanted.get(date) ?? []),
    revision: before.get(date)?.revision ?? 0,
  }));
  const grown = ({ date, sessions }: SessionDay<Row>) => sessions.length - (before.get(date)?.sessions.length ?? 0);
  const changed = all
    .filter(({ date, sessions }) => JSON.stringify(sessions) !== JSON.stringify(before.get(date)?.sessions ?? []))
    .sort((a, b) => grown(b) - grown(a));
  for (const day of changed) if (!(await days.replace(userId, day))) return undefined;
  return all;
}

/** Returns every day that has, or had, a derived value; undefined when somebody came between. */
async function rewriteDays(
  { store }: Deps,
  { user, devices }: Subject,
  derived: ReadonlyMap<number, DerivedDays>,
  nights: readonly SessionDay<SleepRow>[],
): Promise<string[] | undefined> {
  const known = new Map<string, NormalizedItem>();
  for await (const day of store.days.normalizedBetween(user.id, firstDay, lastDay)) known.set(day.date, day);
  const sleptOn = new Map(nights.map((day) => [day.date, day]));
  const dates = new Set([...known.keys(), ...sleptOn.keys()]);
  for (const days of derived.values()) for (const date of days.keys()) dates.add(date);
  const changed: NormalizedItem[] = [];
  for (const date of dates) {
    let day = known.get(date);
    for (const { ordinal } of activeDevices(devices)) {
      const change = dayOf(derived.get(ordinal)?.get(date) ?? new Map(), sleptOn, date, ordinal);
      const { changed: made } = changedDay(date, day, ordinal, [change]);
      if (made) day = { date, packed: made.packed, revision: known.get(date)?.revision ?? 0 };
    }
    if (day && day !== known.get(date)) changed.push(day);
  }
  const held = await allHeld(changed, ({ date, packed, revision }) =>
    store.days.replaceNormalized(user.id, date, packed, revision),
  );
  return held ? [...dates].sort() : undefined;
}

const dayOf =
  (
    samples: ReadonlyMap<MetricId, DerivedDay>,
    nights: ReadonlyMap<string, SessionDay<SleepRow>>,
    date: string,
    device: number,
  ): DayChange =>
  (day) => {
    for (const { id } of metricTable) {
      if (sleepMetrics.has(id)) continue;
      day.derive(id, samples.get(id)?.value, samples.get(id)?.original);
      day.time(id, samples.get(id)?.profile);
    }
    nightChange(nights, date, device, samples)(day);
  };
