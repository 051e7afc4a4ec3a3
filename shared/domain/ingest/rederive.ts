// Every day is made anew, because the user's days are counted otherwise now or a worker gave up: what has instants finds its day; days that a source stated stay.
import type { Write } from '../../engine/ports.ts';
import { addDays, type DateRange, datesInRange } from '../../model/local-day.ts';
import { metricTable } from '../../model/metric-table.ts';
import { type MetricId, metricIds } from '../../model/metrics.ts';
import { sleepMetrics } from '../../model/sleep-metrics.ts';
import { type Announced, nothingAnnounced, withDay } from '../../store/announced.ts';
import { conditionalCommit } from '../../store/conditional-write.ts';
import { dayRows, type NormalizedItem } from '../../store/days.ts';
import { type Progress, type Rezoning, rezoningRows } from '../../store/rezonings.ts';
import { sampleRows } from '../../store/samples.ts';
import { type SessionDay, type SleepRow, sessionRows } from '../../store/sessions.ts';
import { userRows } from '../../store/users.ts';
import { daysAside } from '../consolidation/beside.ts';
import { consolidateDays } from '../consolidation/touched-days.ts';
import type { Deps } from '../deps.ts';
import { subjectSynced } from '../events/new-event.ts';
import { utcDaysOf } from '../measurements/sample-parts.ts';
import { askingForScores, wakeScoring } from '../scores/ask.ts';
import { dayRuleOf, devicesWithData, type Subject } from '../users/subject.ts';
import { allHeld } from '../work/all-held.ts';
import { workerLifeMs } from '../work/worker-life.ts';
import { changedDay, type DayChange } from './day-change.ts';
import { applySummaries, type DerivedDay, derivedDays, nightChange, nightsOf } from './derive.ts';
import { replaceInTurn } from './replace-in-turn.ts';
import { wakeForSecondLook } from './second-look.ts';
import { sleepDate, sorted, workoutDate } from './session-changes.ts';

type SleepDays = ReadonlyMap<string, SessionDay<SleepRow>>;

/** By date, then metric: what one device's samples say. */
type DerivedDays = Map<string, Map<MetricId, DerivedDay>>;

/** So many days' samples are in memory at a time. */
const daysAtOnce = 15;
/** No stretch is begun after it: a worker lives for a minute. */
const mostMs = 30_000;

type Outcome = 'done' | 'disturbed' | 'to be continued';

/** The days are counted otherwise again: what was about to be written is not to be. */
class AskedAgain extends Error {}

/** `disturbed`: another worker came between, and it is to be done again. */
export async function rederive(deps: Deps, subject: Subject, asked: Rezoning | undefined): Promise<Outcome> {
  try {
    return await makeAnew(deps, subject, asked);
  } catch (error) {
    if (error instanceof AskedAgain) return 'disturbed';
    throw error;
  }
}

async function makeAnew(deps: Deps, subject: Subject, asked: Rezoning | undefined): Promise<Outcome> {
  const { store, clock } = deps;
  const { id: userId, work } = subject.user;
  const rule = dayRuleOf(subject.user);
  const untilMs = clock.now() + mostMs;
  const changes = announcing(deps, userId, asked);
  const nights = await rehome(sessionRows(store).sleep, userId, (row) => sleepDate(row, rule), changes);
  const workouts = await rehome(sessionRows(store).workouts, userId, (row) => workoutDate(row, rule), changes);
  if (!nights || !workouts) return 'disturbed';
  let done: Progress | null = asked?.progress?.work === work ? asked.progress : null;
  const sampled = await extents(deps, userId);
  for await (const days of stretches(deps, userId, sampled, nights, done?.through)) {
    if (asked && done && clock.now() >= untilMs)
      return (await rezoningRows(store).progress(userId, asked, done)) ? 'to be continued' : 'disturbed';
    const made = await remake(deps, subject, days, sampled, nights);
    if (!made) return 'disturbed';
    // The last days before were made while the ones beside them were still to come.
    const edge = done ? datesInRange(addDays(done.through, 1 - daysAside), done.through) : [];
    const differed = await consolidateDays(deps, subject, [...edge, ...made], {
      note: (differences) => changes.note(differences.map(({ day, metrics }) => ({ date: day.date, metrics }))),
    });
    const scored = asked && asked.againMs !== null ? differed : made;
    done = { work, through: days.to, from: done?.from ?? scored[0] ?? null, to: scored.at(-1) ?? done?.to ?? null };
  }
  const asksForScores = askingForScores(deps, userId, done?.from ?? null, done?.to ?? null, { atOnce: true });
  const announced = changes.soFar();
  const held = await conditionalCommit(store, [
    ...(announced.from === null ? [] : subjectSynced(deps, subject.user, announced)),
    ...(asked ? [carriedOut(deps, userId, asked)] : []),
    userRows(store).settling(subject.user),
    ...asksForScores,
  ]);
  if (!held) return 'disturbed';
  if (asksForScores.length > 0) await wakeScoring(deps, userId);
  if (asked) await wakeForSecondLook(deps, userId, asked);
  return 'done';
}

const carriedOut = ({ store, clock }: Deps, userId: string, asked: Rezoning): Write =>
  asked.againMs === null
    ? rezoningRows(store).followed(userId, asked, clock.now() + workerLifeMs)
    : rezoningRows(store).finishing(userId, asked);

interface Announcing {
  /** Before anything is written, so that an event tells of it even if this worker dies. */
  note(changes: readonly { date: string; metrics: readonly string[] }[]): Promise<void>;
  soFar(): Announced;
}

/** Without a row that asks for it, nothing outlives this worker: whoever asked has a row, and a worker, of their own. */
function announcing({ store }: Deps, userId: string, asked: Rezoning | undefined): Announcing {
  let announced = asked?.announced ?? nothingAnnounced;
  return {
    async note(changes) {
      if (changes.length === 0) return;
      announced = changes.reduce((sum, { date, metrics }) => withDay(sum, date, metrics), announced);
      if (asked && !(await rezoningRows(store).note(userId, asked, announced))) throw new AskedAgain();
    },
    soFar: () => announced,
  };
}

type Extents = Map<MetricId, DateRange>;

async function extents({ store }: Deps, userId: string): Promise<Extents> {
  const found: Extents = new Map();
  await Promise.all(
    metricIds.map(async (metric) => {
      const extent = await sampleRows(store).extent(userId, metric);
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

/** Makes these days of every device anew; returns those that have, or had, a derived value, or undefined when somebody came between. */
async function remake(
  deps: Deps,
  subject: Subject,
  { from, to, known }: DateRange & { known: Map<string, NormalizedItem> },
  sampled: Extents,
  nights: SleepDays,
): Promise<string[] | undefined> {
  const { user, devices } = subject;
  const rule = dayRuleOf(user);
  const active = devicesWithData(devices).map(({ ordinal }) => ordinal);
  const derived = new Map<number, DerivedDays>(active.map((device) => [device, new Map()]));
  for (const [metric, extent] of sampled) {
    const utcDays = utcDaysOf(metric, from, to);
    if (utcDays.from > extent.to || utcDays.to < extent.from) continue;
    const samples = await sampleRows(deps.store).between(user.id, metric, utcDays, { consistent: true });
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
  const held = await allHeld(changed, ({ date, packed, revision }) =>
    dayRows(deps.store).replaceNormalized(user.id, date, packed, revision),
  );
  return held ? [...dates].sort() : undefined;
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

/** Every session stands once in the end. Undefined when somebody came between. */
async function rehome<Row extends { id: string; startMs: number; receivedMs: number }>(
  days: SessionDays<Row>,
  userId: string,
  dateFor: (row: Row) => string,
  { note }: Announcing,
): Promise<Map<string, SessionDay<Row>> | undefined> {
  const stored: SessionDay<Row>[] = [];
  for await (const day of days.all(userId)) stored.push(day);
  const unique = new Map<string, Row>();
  for (const row of stored.flatMap(({ sessions }) => sessions)) {
    const other = unique.get(row.id);
    if (!other || other.receivedMs <= row.receivedMs) unique.set(row.id, row);
  }
  // A day that keeps a session which stands on another too is written again: whoever means to take it from there is then refused.
  const copies = Map.groupBy(
    stored.flatMap(({ sessions }) => sessions),
    ({ id }) => id,
  );
  const wanted = Map.groupBy(unique.values(), dateFor);
  const before = new Map(stored.map((day) => [day.date, day]));
  const all = [...new Set([...wanted.keys(), ...before.keys()])].map((date) => ({
    date,
    sessions: sorted(wanted.get(date) ?? []),
    revision: before.get(date)?.revision ?? 0,
  }));
  const changed = all.filter(
    ({ date, sessions }) =>
      JSON.stringify(sessions) !== JSON.stringify(before.get(date)?.sessions ?? []) ||
      sessions.some(({ id }) => (copies.get(id)?.length ?? 0) > 1),
  );
  await note(changed.map(({ date }) => ({ date, metrics: [] })));
  if (!(await replaceInTurn(changed, before, (day) => days.replace(userId, day)))) return undefined;
  return new Map(all.map((day) => [day.date, day]));
}
