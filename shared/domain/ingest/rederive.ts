// A user moved to another time zone: everything derived from instants finds its local day anew; days that a source stated stay.
import { TransactionRefused } from '../../engine/ports.ts';
import { metricTable } from '../../model/metric-table.ts';
import type { MetricId } from '../../model/metrics.ts';
import type { Original } from '../../model/records.ts';
import { sleepMetrics } from '../../model/sleep-metrics.ts';
import type { KeptSample } from '../../store/codec/sample-block.ts';
import type { Rezoning } from '../../store/rezonings.ts';
import type { SessionDay } from '../../store/sessions.ts';
import { consolidateDays } from '../consolidation/touched-days.ts';
import type { Deps } from '../deps.ts';
import { dayValue } from '../samples.ts';
import { askingForScores, wakeScoring } from '../scores/ask.ts';
import { sleepDayMetrics } from '../sleep.ts';
import type { Subject } from '../subject.ts';
import { changedDay } from './day-change.ts';
import { dateOf, onlyOriginal } from './sample-changes.ts';
import { sleepDate, workoutDate } from './session-changes.ts';

const firstDay = '0000-01-01';
const lastDay = '9999-12-31';

interface Derived {
  value: number;
  original: Original | undefined;
}
/** By date, then device, then metric. */
type DerivedDays = Map<string, Map<number, Map<MetricId, Derived>>>;

export async function rederive(deps: Deps, subject: Subject, asked: Rezoning): Promise<void> {
  const { store } = deps;
  const { id: userId, timezone } = subject.user;
  const derived: DerivedDays = new Map();
  await deriveSamples(deps, userId, timezone, derived);
  const nights = await rehome(store.sessions.sleep, userId, (row) => sleepDate(row, timezone));
  await rehome(store.sessions.workouts, userId, (row) => workoutDate(row, timezone));
  for (const [date, sessions] of nights)
    for (const [device, own] of Map.groupBy(sessions, (row) => row.device)) {
      const values = sleepDayMetrics(own);
      for (const metric of sleepMetrics) {
        const value = values[metric];
        if (value === undefined) partOf(derived, date, device).delete(metric);
        else partOf(derived, date, device).set(metric, { value, original: undefined });
      }
    }
  const dates = await rewriteDays(deps, subject, derived);
  await consolidateDays(deps, subject, dates);
  const asksForScores = askingForScores(deps, userId, dates[0] ?? null, dates.at(-1) ?? null);
  try {
    await store.commit([store.rezonings.finishing(userId, asked), ...asksForScores]);
    if (asksForScores.length > 0) await wakeScoring(deps, userId);
  } catch (error) {
    if (!(error instanceof TransactionRefused)) throw error;
  }
}

function partOf(derived: DerivedDays, date: string, device: number): Map<MetricId, Derived> {
  const day = derived.get(date) ?? new Map<number, Map<MetricId, Derived>>();
  derived.set(date, day);
  const part = day.get(device) ?? new Map<MetricId, Derived>();
  day.set(device, part);
  return part;
}

/** Items come by metric and UTC day, so a local day is whole once two UTC days past it have been read. */
async function deriveSamples(
  { store }: Deps,
  userId: string,
  zone: string | null,
  derived: DerivedDays,
): Promise<void> {
  let metric: MetricId | undefined;
  let open = new Map<string, { date: string; device: number; samples: KeptSample[] }>();
  const close = (before: string) => {
    for (const [name, { date, device, samples }] of open) {
      if (date >= before) continue;
      open.delete(name);
      const value = metric && dayValue(metric, samples);
      if (metric && value !== undefined)
        partOf(derived, date, device).set(metric, { value, original: onlyOriginal(metric, samples) });
    }
  };
  for await (const day of store.samples.all(userId)) {
    if (day.metric !== metric) {
      close(lastDay);
      open = new Map();
      metric = day.metric;
    }
    close(dayBefore(day.utcDay));
    for (const sample of day.samples) {
      const date = dateOf(sample, zone);
      const name = `${date}#${day.device}`;
      const part = open.get(name) ?? { date, device: day.device, samples: [] };
      part.samples.push(sample);
      open.set(name, part);
    }
  }
  close(lastDay);
}

const dayBefore = (utcDay: string): string =>
  new Date(Date.parse(utcDay) - 24 * 3600 * 1000).toISOString().slice(0, 10);

interface SessionDays<Row> {
  all(user: string): AsyncGenerator<SessionDay<Row>>;
  on(user: string, dates: readonly string[]): Promise<Map<string, SessionDay<Row>>>;
  replace(user: string, day: SessionDay<Row>): Promise<boolean>;
}

/** The new day is written before the old one lets go, so nothing is ever missing; every session stands once in the end. */
async function rehome<Row extends { id: string; startMs: number }>(
  days: SessionDays<Row>,
  userId: string,
  dateFor: (row: Row) => string,
): Promise<Map<string, Row[]>> {
  const stored: SessionDay<Row>[] = [];
  for await (const day of days.all(userId)) stored.push(day);
  const unique = new Map(stored.flatMap(({ sessions }) => sessions.map((row) => [row.id, row] as const)));
  const wanted = Map.groupBy(unique.values(), dateFor);
  const revisions = new Map(stored.map(({ date, revision }) => [date, revision]));
  const before = new Map(stored.map(({ date, sessions }) => [date, sessions]));
  const sorted = (rows: readonly Row[]) => [...rows].sort((a, b) => a.startMs - b.startMs || (a.id < b.id ? -1 : 1));
  const changed = [...new Set([...wanted.keys(), ...before.keys()])]
    .map((date) => ({ date, sessions: sorted(wanted.get(date) ?? []), revision: revisions.get(date) ?? 0 }))
    .filter(({ date, sessions }) => JSON.stringify(sessions) !== JSON.stringify(before.get(date) ?? []));
  const growingFirst = changed.sort((a, b) => grown(b, before) - grown(a, before));
  for (const day of growingFirst)
    if (!(await days.replace(userId, day))) throw new Error('sessions changed while they were moved to other days');
  return wanted;
}

const grown = <Row>(day: SessionDay<Row>, before: Map<string, Row[]>): number =>
  day.sessions.length - (before.get(day.date)?.length ?? 0);

/** Returns every day that has, or had, a derived value. */
async function rewriteDays({ store }: Deps, { user, devices }: Subject, derived: DerivedDays): Promise<string[]> {
  const known = new Set<string>();
  for await (const { date } of store.days.normalizedBetween(user.id, firstDay, lastDay)) known.add(date);
  const dates = [...new Set([...known, ...derived.keys()])].sort();
  for (const date of dates)
    for (const { ordinal, status } of devices) {
      if (status !== 'active') continue;
      const values = derived.get(date)?.get(ordinal);
      for (let held = false; !held; ) {
        const stored = (await store.days.normalizedOn(user.id, [date])).get(date);
        const change = changedDay(date, stored, ordinal, [
          (day) => {
            for (const { id } of metricTable) day.derive(id, values?.get(id)?.value, values?.get(id)?.original);
          },
        ]);
        held = !change || (await store.days.replaceNormalized(user.id, date, change.packed, change.revision));
      }
    }
  return dates;
}
