// Every day is made anew, because the person's days are counted otherwise now, or an upload was given up midway: what has instants finds its day; days that a source stated stay.

import { metricTable } from '../catalog/metric-table.ts';
import { type MetricId, metricIds } from '../catalog/metrics.ts';
import { sleepMetrics } from '../catalog/sleep-metrics.ts';
import { daysAside } from '../consolidation/beside.ts';
import { type Announced, withDay } from '../events/announced.ts';
import { subjectSynced } from '../events/new-event.ts';
import { dayRows, type NormalizedItem } from '../measurements/rows/day-rows.ts';
import { type OpenSamples, openSampleRows } from '../measurements/rows/open-sample-rows.ts';
import { utcDaysOf } from '../measurements/rows/sample-parts.ts';
import { sampleRows } from '../measurements/rows/sample-rows.ts';
import { type SessionDay, type SleepRow, sessionRows } from '../measurements/rows/session-rows.ts';
import { allHeld } from '../platform/all-held.ts';
import { addDays, type DateRange, datesInRange } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import { commandRows, type RecountCommand } from '../users/command-rows.ts';
import { dayRuleOf, devicesWithData, type Subject } from '../users/subject.ts';
import { changedDay, type DayChange } from './day-change.ts';
import { applySummaries, type DerivedDay, derivedDays, nightChange, nightsOf } from './derive.ts';
import { replaceInTurn } from './replace-in-turn.ts';
import { sleepDate, sorted, workoutDate } from './session-changes.ts';
import { consolidateDays } from './touched-days.ts';
import { type Done, mustHold, type Work } from './work.ts';

type SleepDays = ReadonlyMap<string, SessionDay<SleepRow>>;

/** By date, then metric: what one device's samples say. */
type DerivedDays = Map<string, Map<MetricId, DerivedDay>>;

/** So many days' samples are in memory at a time. */
const daysAtOnce = 15;
/** No stretch is begun after it: a small upload behind it waits for one pass at most. */
const mostMs = 10_000;

export const recounts: Work<'recount'> = {
  isLong: true,
  async work(deps, subject, [command]) {
    return command ? makeAnew(deps, subject, command) : { writes: [] };
  },
};

async function makeAnew(deps: Deps, subject: Subject, command: RecountCommand): Promise<Done> {
  const { store, clock } = deps;
  const { user } = subject;
  const rule = dayRuleOf(user);
  const untilMs = clock.now() + mostMs;
  const changes = announcing(deps, user.id, command);
  const nights = await rehome(sessionRows(store).sleep, user.id, (row) => sleepDate(row, rule), changes);
  await rehome(sessionRows(store).workouts, user.id, (row) => workoutDate(row, rule), changes);
  let done = command.cursor;
  const open = await openSampleRows(store).read(user.id, { consistent: true });
  const sampled = await extents(deps, user.id, open);
  for await (const days of stretches(deps, user.id, sampled, nights, done?.through)) {
    if (done && clock.now() >= untilMs)
      return {
        writes: [commandRows(store).continuing(user.id, command, { ...done, atMs: clock.now() })],
        isContinued: true,
      };
    const made = await remake(deps, subject, days, { sampled, open }, nights);
    // The last days before were made while the ones beside them were still to come.
    const edge = done ? datesInRange(addDays(done.through, 1 - daysAside), done.through) : [];
    await consolidateDays(deps, subject, [...edge, ...made], {
      note: (differences) => changes.note(differences.map(({ day, metrics }) => ({ date: day.date, metrics }))),
    });
    done = { atMs: 0, through: days.to, from: done?.from ?? made[0] ?? null, to: made.at(-1) ?? done?.to ?? null };
  }
  const announced = changes.soFar();
  return {
    writes: [
      commandRows(store).finishing(user.id, command),
      ...(announced.from === null ? [] : subjectSynced(deps, user, announced)),
    ],
    scores:
      done && done.from !== null && done.to !== null ? [{ from: done.from, to: done.to, dueMs: 0, atOnce: true }] : [],
  };
}

interface Announcing {
  /** Before anything is written, so that an event tells of it even if this pass dies. */
  note(changes: readonly { date: string; metrics: readonly string[] }[]): Promise<void>;
  soFar(): Announced;
}

function announcing({ store }: Deps, userId: string, command: RecountCommand): Announcing {
  let { announced } = command;
  return {
    async note(changes) {
      if (changes.length === 0) return;
      announced = changes.reduce((sum, { date, metrics }) => withDay(sum, date, metrics), announced);
      mustHold(await commandRows(store).announce(userId, command, announced));
    },
    soFar: () => announced,
  };
}

type Extents = Map<MetricId, DateRange>;

async function extents({ store }: Deps, userId: string, open: OpenSamples): Promise<Extents> {
  const found: Extents = new Map();
  await Promise.all(
    metricIds.map(async (metric) => {
      const extent = await sampleRows(store).extent(userId, metric, open);
      if (extent) found.set(metric, extent);
    }),
  );
  return found;
}

/** What the devices say now, some days at a time; days that nobody says anything of are left out of it. */
async function* stretches(
  { store }: Deps,
  userId: string,
  sampled: Extents,
  nights: SleepDays,
  through: string | undefined,
): AsyncGenerator<DateRange & { known: Map<string, NormalizedItem> }> {
  const ends = [...sampled.values()].flatMap(({ from, to }) => [addDays(from, -1), addDays(to, 2)]);
  const said = await dayRows(store).normalizedExtent(userId);
  const all = [...ends, ...nights.keys(), ...(said ? [said.from, said.to] : [])].sort();
  const [first, last] = [through === undefined ? all[0] : addDays(through, 1), all.at(-1)];
  if (first === undefined || last === undefined) return;
  for (let from = first; from <= last; from = addDays(from, daysAtOnce)) {
    const to = addDays(from, daysAtOnce - 1);
    const known = new Map<string, NormalizedItem>();
    for await (const day of dayRows(store).normalizedBetween(userId, from, to)) known.set(day.date, day);
    yield { from, to, known };
  }
}

/** Makes these days of every device anew; returns those that have, or had, a derived value. */
async function remake(
  deps: Deps,
  subject: Subject,
  { from, to, known }: DateRange & { known: Map<string, NormalizedItem> },
  { sampled, open }: { sampled: Extents; open: OpenSamples },
  nights: SleepDays,
): Promise<string[]> {
  const { user, devices } = subject;
  const rule = dayRuleOf(user);
  const active = devicesWithData(devices).map(({ ordinal }) => ordinal);
  const derived = new Map<number, DerivedDays>(active.map((device) => [device, new Map()]));
  for (const [metric, extent] of sampled) {
    const utcDays = utcDaysOf(metric, from, to);
    if (utcDays.from > extent.to || utcDays.to < extent.from) continue;
    const samples = await sampleRows(deps.store).between(user.id, metric, utcDays, { consistent: true, open });
    for (const [device, own] of Map.groupBy(samples, (day) => day.device))
      for (const [date, day] of derivedDays(
        metric,
        own.flatMap((each) => each.samples),
        rule,
        sleepMetrics.has(metric) ? nightsOf(nights.values(), device) : [],
        (date) => date >= from && date <= to,
      ))
        partOf(derived.get(device), date)?.set(metric, day);
  }
  const dates = new Set([...known.keys(), ...[...nights.keys()].filter((date) => date >= from && date <= to)]);
  for (const days of derived.values()) for (const date of days.keys()) dates.add(date);
  const changed: NormalizedItem[] = [];
  for (const date of dates) {
    let day = known.get(date);
    for (const device of active) {
      const change = dayOf(derived.get(device)?.get(date) ?? new Map(), nights, date, device);
      const { changed: made } = changedDay(date, day, device, [change]);
      if (made) day = { date, packed: made.packed, revision: known.get(date)?.revision ?? 0 };
    }
    if (day && day !== known.get(date)) changed.push(day);
  }
  mustHold(
    await allHeld(changed, ({ date, packed, revision }) =>
      dayRows(deps.store).replaceNormalized(user.id, date, packed, revision),
    ),
  );
  return [...dates].sort();
}

function partOf(days: DerivedDays | undefined, date: string): Map<MetricId, DerivedDay> | undefined {
  const part = days?.get(date) ?? new Map<MetricId, DerivedDay>();
  days?.set(date, part);
  return part;
}

const dayOf =
  (samples: ReadonlyMap<MetricId, DerivedDay>, nights: SleepDays, date: string, device: number): DayChange =>
  (day) => {
    applySummaries(nights, date, device)(day);
    for (const { id } of metricTable) {
      if (sleepMetrics.has(id)) continue;
      day.derive(id, samples.get(id)?.value, samples.get(id)?.original);
      day.time(id, samples.get(id)?.timeline);
    }
    nightChange(nights, date, device, samples)(day);
  };

interface SessionDays<Row> {
  all(user: string): AsyncGenerator<SessionDay<Row>>;
  replace(user: string, day: SessionDay<Row>): Promise<boolean>;
}

/** Every session stands once in the end. */
async function rehome<Row extends { id: string; startMs: number; receivedMs: number }>(
  days: SessionDays<Row>,
  userId: string,
  dateFor: (row: Row) => string,
  { note }: Announcing,
): Promise<Map<string, SessionDay<Row>>> {
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
  const changed = all.filter(
    ({ date, sessions }) => JSON.stringify(sessions) !== JSON.stringify(before.get(date)?.sessions ?? []),
  );
  await note(changed.map(({ date }) => ({ date, metrics: [] })));
  mustHold(await replaceInTurn(changed, before, (day) => days.replace(userId, day)));
  return new Map(all.map((day) => [day.date, day]));
}
