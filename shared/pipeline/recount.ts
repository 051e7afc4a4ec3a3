// Derives every day again, because the user's day rule changed or an upload was abandoned midway.
// Records with instants are assigned to days again; totals that a source stated for a day stay.

import { metricTable } from '../catalog/metric-table.ts';
import { type MetricId, metricIds, sessionMetrics } from '../catalog/metrics.ts';
import { adjacencyDays } from '../consolidation/adjacent-days.ts';
import { subjectSyncedEvent } from '../events/new-event.ts';
import { addChangedDay, type UnannouncedChanges } from '../events/unannounced-changes.ts';
import { dayRows, type NormalizedItem } from '../measurements/rows/day-rows.ts';
import { type OpenSamples, openSampleRows } from '../measurements/rows/open-sample-rows.ts';
import { sampleRows } from '../measurements/rows/sample-rows.ts';
import { type SessionDay, type SleepRow, sessionRows } from '../measurements/rows/session-rows.ts';
import { utcDaysAround } from '../measurements/rows/split-sample.ts';
import { addDays, type DateRange, datesInRange } from '../platform/time/local-day.ts';
import { writeAllConditionally } from '../platform/write-all-conditionally.ts';
import type { Deps } from '../system/deps.ts';
import { commandRows, type RecountCommand } from '../users/command-rows.ts';
import { dayRuleOf, devicesWithData, type UserContext } from '../users/user-context.ts';
import { assertApplied, type CommandHandler, type HandlerResult } from './command-handler.ts';
import { consolidateDays } from './consolidate-days.ts';
import { applyDayChanges, type DayChange } from './day-change.ts';
import { buildNightChange, buildSummaryChange, collectNights, type DerivedDay, deriveDays } from './derive-days.ts';
import { sleepDate, sortSessions, workoutDate } from './merge-sessions.ts';
import { replaceDaysInOrder } from './replace-days-in-order.ts';

type SleepDays = ReadonlyMap<string, SessionDay<SleepRow>>;

/** The values derived from one device's samples, by date and metric. */
type DerivedDays = Map<string, Map<MetricId, DerivedDay>>;

/** The number of days whose samples are in memory at a time. */
const daysPerBatch = 15;
/**
 * No batch of days starts after this time, so a small upload behind a recount waits for at most one
 * pass.
 */
const maxRunMs = 10_000;

export const recountHandler: CommandHandler<'recount'> = {
  isLong: true,
  async handle(deps, userContext, [command]) {
    return command ? recountDays(deps, userContext, command) : { writes: [] };
  },
};

async function recountDays(deps: Deps, userContext: UserContext, command: RecountCommand): Promise<HandlerResult> {
  const { store, clock } = deps;
  const { user } = userContext;
  const rule = dayRuleOf(user);
  const untilMs = clock.now() + maxRunMs;
  const changes = createChangeRecorder(deps, user.id, command);
  const nights = await reassignSessions(sessionRows(store).sleep, user.id, (row) => sleepDate(row, rule), changes);
  await reassignSessions(sessionRows(store).workouts, user.id, (row) => workoutDate(row, rule), changes);
  let progress = command.cursor;
  const open = await openSampleRows(store).read(user.id, { consistent: true });
  const sampled = await readExtents(deps, user.id, open);
  for await (const days of readDayRanges(deps, user.id, sampled, nights, progress?.through)) {
    if (progress && clock.now() >= untilMs)
      return {
        writes: [commandRows(store).buildSaveProgress(user.id, command, { ...progress, atMs: clock.now() })],
        isContinued: true,
      };
    const rebuilt = await rebuildDays(deps, userContext, days, { sampled, open }, nights);
    // The last days of the previous batch were consolidated before their adjacent days were
    // rebuilt.
    const edge = progress ? datesInRange(addDays(progress.through, 1 - adjacencyDays), progress.through) : [];
    await consolidateDays(deps, userContext, [...edge, ...rebuilt], {
      recordDifferences: (differences) =>
        changes.record(differences.map(({ day, metrics }) => ({ date: day.date, metrics }))),
    });
    progress = {
      atMs: 0,
      through: days.to,
      from: progress?.from ?? rebuilt[0] ?? null,
      to: rebuilt.at(-1) ?? progress?.to ?? null,
    };
  }
  const unannounced = changes.getUnannounced();
  return {
    writes: [
      commandRows(store).buildFinish(user.id, command),
      ...(unannounced.from === null ? [] : subjectSyncedEvent(deps, user, unannounced)),
    ],
    scores:
      progress && progress.from !== null && progress.to !== null
        ? [{ from: progress.from, to: progress.to, dueMs: 0, atOnce: true }]
        : [],
  };
}

interface ChangeRecorder {
  /**
   * Called before anything is written, so that an event reports the changes even if this pass
   * fails.
   */
  record(changes: readonly { date: string; metrics: readonly string[] }[]): Promise<void>;
  getUnannounced(): UnannouncedChanges;
}

function createChangeRecorder({ store }: Deps, userId: string, command: RecountCommand): ChangeRecorder {
  let { unannounced } = command;
  return {
    async record(changes) {
      if (changes.length === 0) return;
      unannounced = changes.reduce((sum, { date, metrics }) => addChangedDay(sum, date, metrics), unannounced);
      assertApplied(await commandRows(store).recordUnannounced(userId, command, unannounced));
    },
    getUnannounced: () => unannounced,
  };
}

type Extents = Map<MetricId, DateRange>;

async function readExtents({ store }: Deps, userId: string, open: OpenSamples): Promise<Extents> {
  const extentsByMetric: Extents = new Map();
  await Promise.all(
    metricIds.map(async (metric) => {
      const extent = await sampleRows(store).findRange(userId, metric, open);
      if (extent) extentsByMetric.set(metric, extent);
    }),
  );
  return extentsByMetric;
}

/**
 * Yields ranges of days with their stored normalized days. Days without data are missing from
 * `known`.
 */
async function* readDayRanges(
  { store }: Deps,
  userId: string,
  sampled: Extents,
  nights: SleepDays,
  through: string | undefined,
): AsyncGenerator<DateRange & { known: Map<string, NormalizedItem> }> {
  const ends = [...sampled.values()].flatMap(({ from, to }) => [addDays(from, -1), addDays(to, 2)]);
  const storedExtent = await dayRows(store).findNormalizedRange(userId);
  const all = [...ends, ...nights.keys(), ...(storedExtent ? [storedExtent.from, storedExtent.to] : [])].sort();
  const [first, last] = [through === undefined ? all[0] : addDays(through, 1), all.at(-1)];
  if (first === undefined || last === undefined) return;
  for (let from = first; from <= last; from = addDays(from, daysPerBatch)) {
    const to = addDays(from, daysPerBatch - 1);
    const known = new Map<string, NormalizedItem>();
    for await (const day of dayRows(store).iterateNormalized(userId, from, to)) known.set(day.date, day);
    yield { from, to, known };
  }
}

/** Rebuilds these days for every device. Returns the dates that have, or had, a derived value. */
async function rebuildDays(
  deps: Deps,
  userContext: UserContext,
  { from, to, known }: DateRange & { known: Map<string, NormalizedItem> },
  { sampled, open }: { sampled: Extents; open: OpenSamples },
  nights: SleepDays,
): Promise<string[]> {
  const { user, devices } = userContext;
  const rule = dayRuleOf(user);
  const active = devicesWithData(devices).map(({ ordinal }) => ordinal);
  const derived = new Map<number, DerivedDays>(active.map((device) => [device, new Map()]));
  for (const [metric, extent] of sampled) {
    const utcDays = utcDaysAround(metric, from, to);
    if (utcDays.from > extent.to || utcDays.to < extent.from) continue;
    const samples = await sampleRows(deps.store).readBetween(user.id, metric, utcDays, { consistent: true, open });
    for (const [device, own] of Map.groupBy(samples, (day) => day.device))
      for (const [date, day] of deriveDays(
        metric,
        own.flatMap((each) => each.samples),
        rule,
        sessionMetrics.has(metric) ? collectNights(nights.values(), device) : [],
        (date) => date >= from && date <= to,
      ))
        getOrCreateDay(derived.get(device), date)?.set(metric, day);
  }
  const dates = new Set([...known.keys(), ...[...nights.keys()].filter((date) => date >= from && date <= to)]);
  for (const days of derived.values()) for (const date of days.keys()) dates.add(date);
  const changed: NormalizedItem[] = [];
  for (const date of dates) {
    let day = known.get(date);
    for (const device of active) {
      const change = buildDayChange(derived.get(device)?.get(date) ?? new Map(), nights, date, device);
      const { changed: rebuilt } = applyDayChanges(date, day, device, [change]);
      if (rebuilt) day = { date, packed: rebuilt.packed, revision: known.get(date)?.revision ?? 0 };
    }
    if (day && day !== known.get(date)) changed.push(day);
  }
  assertApplied(
    await writeAllConditionally(changed, ({ date, packed, revision }) =>
      dayRows(deps.store).replaceNormalized(user.id, date, packed, revision),
    ),
  );
  return [...dates].sort();
}

function getOrCreateDay(days: DerivedDays | undefined, date: string): Map<MetricId, DerivedDay> | undefined {
  const dayMetrics = days?.get(date) ?? new Map<MetricId, DerivedDay>();
  days?.set(date, dayMetrics);
  return dayMetrics;
}

const buildDayChange =
  (samples: ReadonlyMap<MetricId, DerivedDay>, nights: SleepDays, date: string, device: number): DayChange =>
  (day) => {
    buildSummaryChange(nights, date, device)(day);
    for (const { id } of metricTable) {
      if (sessionMetrics.has(id)) continue;
      day.setDerived(id, samples.get(id)?.value, samples.get(id)?.original);
      day.setTimeline(id, samples.get(id)?.timeline);
    }
    buildNightChange(nights, date, device, samples)(day);
  };

interface SessionDays<Row> {
  iterateAll(user: string): AsyncGenerator<SessionDay<Row>>;
  replace(user: string, day: SessionDay<Row>): Promise<boolean>;
}

/** In the end, every session is stored exactly once. */
async function reassignSessions<Row extends { id: string; startMs: number; receivedMs: number }>(
  days: SessionDays<Row>,
  userId: string,
  dateFor: (row: Row) => string,
  { record }: ChangeRecorder,
): Promise<Map<string, SessionDay<Row>>> {
  const stored: SessionDay<Row>[] = [];
  for await (const day of days.iterateAll(userId)) stored.push(day);
  const unique = new Map<string, Row>();
  for (const row of stored.flatMap(({ sessions }) => sessions)) {
    const other = unique.get(row.id);
    if (!other || other.receivedMs <= row.receivedMs) unique.set(row.id, row);
  }
  const sessionsByDate = Map.groupBy(unique.values(), dateFor);
  const before = new Map(stored.map((day) => [day.date, day]));
  const all = [...new Set([...sessionsByDate.keys(), ...before.keys()])].map((date) => ({
    date,
    sessions: sortSessions(sessionsByDate.get(date) ?? []),
    revision: before.get(date)?.revision ?? 0,
  }));
  const changed = all.filter(
    ({ date, sessions }) => JSON.stringify(sessions) !== JSON.stringify(before.get(date)?.sessions ?? []),
  );
  await record(changed.map(({ date }) => ({ date, metrics: [] })));
  assertApplied(await replaceDaysInOrder(changed, before, (day) => days.replace(userId, day)));
  return new Map(all.map((day) => [day.date, day]));
}
