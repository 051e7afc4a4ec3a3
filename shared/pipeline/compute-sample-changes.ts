// Merges uploaded samples into the stored samples of one device, and determines the days on which
// they count or no longer count.

import { isSessionMetric, type SampleId } from '../catalog/metrics.ts';
import type { StoredSample } from '../measurements/codec/sample-block.ts';
import type { Sample } from '../measurements/records.ts';
import { OpenSamples, openSampleRows } from '../measurements/rows/open-sample-rows.ts';
import { formatSampleDayId, type StoredSampleDay } from '../measurements/rows/sample-day.ts';
import { sampleRows } from '../measurements/rows/sample-rows.ts';
import { areSamplesEqual, mergeSamples } from '../measurements/rows/samples.ts';
import { getStartSpan, splitSampleByDay, utcDaysAround } from '../measurements/rows/split-sample.ts';
import {
  addDays,
  type DateRange,
  type DayRule,
  datesInRange,
  mergeDateRanges,
  todayIn,
  utcDay,
} from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';

export interface DeviceContext {
  userId: string;
  /** The ordinal of the device. */
  device: number;
  rule: DayRule;
}

export interface SampleContext extends DeviceContext {
  /** Whether the device is a phone. Only phones have open samples. */
  isPhone: boolean;
}

export interface SampleChanges {
  /** The items to write, each with the revision it was read with. */
  items: StoredSampleDay[];
  /** The open samples as they were read. */
  open: OpenSamples;
  /** The days to derive again, by metric. */
  dates: Map<SampleId, Set<string>>;
  /** Returns every sample that may count on those days, as stored after the change. */
  samplesOf(metric: SampleId): Iterable<StoredSample>;
}

/**
 * Samples that the device reported earlier on these days, in the time zone of the request, and that
 * are missing from this arrival are withdrawn.
 */
export interface SampleClaim {
  metric: SampleId;
  days: DateRange;
  zone: string | null;
}

/** Samples that count after all earlier ones, with the claims that withdraw earlier samples. */
export interface SampleArrival {
  samples: readonly Sample[];
  claims: readonly SampleClaim[];
}

/** `pendingDates` are days to derive again regardless of the uploads. */
export async function computeSampleChanges(
  deps: Deps,
  context: SampleContext,
  arrivals: readonly SampleArrival[],
  pendingDates: ReadonlyMap<SampleId, Iterable<string>>,
): Promise<SampleChanges> {
  const groupedArrivals = arrivals.map(({ samples, claims }) => ({ groups: groupByMetricAndDay(samples), claims }));
  const dates = new Map<SampleId, Set<string>>();
  for (const [metric, days] of pendingDates) dates.set(metric, new Set(days));
  for (const { groups } of groupedArrivals)
    for (const [metric, byDay] of groups)
      for (const samples of byDay.values())
        for (const sample of samples) addDates(getOrCreateSet(dates, metric), metric, sample, context.rule);
  const needed = new Map(Array.from(dates, ([metric, days]) => [metric, new Set(days)]));
  for (const { metric, days } of groupedArrivals.flatMap(({ claims }) => claims))
    for (const date of datesInRange(days.from, days.to)) getOrCreateSet(needed, metric).add(date);
  const storedDays = new Map<SampleId, Map<string, StoredSampleDay>>();
  const openRead = needed.size > 0 && context.isPhone ? readOpenSamples(deps, context) : new OpenSamples([]);
  const claimedMetrics = new Set(groupedArrivals.flatMap(({ claims }) => claims.map(({ metric }) => metric)));
  const changed = (metric: SampleId): string[] =>
    groupedArrivals.flatMap(({ groups }) => [...(groups.get(metric)?.keys() ?? [])]);
  const read = async (metric: SampleId, days: ReadonlySet<string>): Promise<Map<string, StoredSampleDay>> =>
    (claimedMetrics.has(metric)
      ? undefined
      : readFromSlotsOnly(await openRead, context, metric, days, changed(metric))) ??
    readStoredSamples(deps, context, metric, days, openRead);
  const [open] = await Promise.all([
    openRead,
    ...Array.from(needed, async ([metric, days]) => storedDays.set(metric, await read(metric, days))),
  ]);
  const vacatedDates = new Map<SampleId, Set<string>>();
  const before = new Map<string, StoredSampleDay>();
  const items = new Map<string, StoredSampleDay>();
  const change = (item: StoredSampleDay, samples: StoredSample[], gone: readonly StoredSample[]) => {
    const name = formatSampleDayId(item);
    if (!before.has(name)) before.set(name, item);
    const changed = { ...item, samples };
    items.set(name, changed);
    storedDays.get(item.metric)?.set(name, changed);
    for (const old of gone) addDates(getOrCreateSet(vacatedDates, item.metric), item.metric, old, context.rule);
  };
  for (const { groups, claims } of groupedArrivals) {
    for (const claim of claims)
      for (const item of storedDays.get(claim.metric)?.values() ?? []) {
        const { stay, gone } = splitRetracted(item, claim, groups.get(claim.metric)?.get(item.utcDay) ?? []);
        if (gone.length > 0) change(item, stay, gone);
      }
    for (const [metric, byDay] of groups)
      for (const [day, samples] of byDay) {
        const name = { metric, utcDay: day, device: context.device };
        const known = storedDays.get(metric)?.get(formatSampleDayId(name)) ?? { ...name, samples: [], revision: 0 };
        const merged = mergeSamples(known.samples, samples);
        if (merged.changed) change(known, merged.samples, merged.replaced);
      }
  }
  await Promise.all(
    Array.from(vacatedDates, async ([metric, days]) => {
      const known = getOrCreateSet(dates, metric);
      const addedDates = new Set([...days].filter((date) => !known.has(date)));
      for (const date of addedDates) known.add(date);
      const stored = storedDays.get(metric);
      for (const [name, day] of await read(metric, addedDates)) if (!stored?.has(name)) stored?.set(name, day);
    }),
  );
  return {
    // A sample that was withdrawn and reported again may be unchanged.
    items: [...items].flatMap(([name, item]) =>
      groupedArrivals.length > 1 && areSamplesEqual(before.get(name)?.samples ?? [], item.samples) ? [] : [item],
    ),
    open,
    dates,
    *samplesOf(metric) {
      for (const { samples } of storedDays.get(metric)?.values() ?? []) yield* samples;
    },
  };
}

function getOrCreateSet<T>(sets: Map<SampleId, Set<T>>, metric: SampleId): Set<T> {
  const result = sets.get(metric) ?? new Set();
  sets.set(metric, result);
  return result;
}

/** Separates the samples that start on a claimed day and are not reported again. */
function splitRetracted(
  { samples }: StoredSampleDay,
  { days, zone }: SampleClaim,
  restated: readonly StoredSample[],
): { stay: StoredSample[]; gone: StoredSample[] } {
  const keyOf = ({ startMs, endMs }: StoredSample): string => `${startMs} ${endMs}`;
  const restatedKeys = new Set(restated.map(keyOf));
  const isGone = (sample: StoredSample): boolean => {
    if (restatedKeys.has(keyOf(sample))) return false;
    const date = todayIn(zone, sample.startMs);
    return date >= days.from && date <= days.to;
  };
  const { stay = [], gone = [] } = Object.groupBy(samples, (sample) => (isGone(sample) ? 'gone' : 'stay'));
  return { stay, gone };
}

/** Groups by metric, then by the UTC day of the start. */
function groupByMetricAndDay(incoming: readonly Sample[]): Map<SampleId, Map<string, StoredSample[]>> {
  const groups = new Map<SampleId, Map<string, StoredSample[]>>();
  for (const { metric, startMs, endMs, value, original, offsetMinutes } of incoming) {
    const plain = { startMs, endMs, value, offsetMinutes };
    const byDay = groups.get(metric) ?? new Map<string, StoredSample[]>();
    groups.set(metric, byDay);
    const day = utcDay(startMs);
    const samples = byDay.get(day) ?? [];
    byDay.set(day, samples);
    samples.push(original ? { ...plain, original } : plain);
  }
  return groups;
}

/** The date of a sleep stage depends on its night, so its days are passed in as pending dates. */
function addDates(dates: Set<string>, metric: SampleId, sample: StoredSample, rule: DayRule): void {
  if (!isSessionMetric(metric)) for (const { date } of splitSampleByDay(metric, sample, rule)) dates.add(date);
}

const readOpenSamples = ({ store }: Deps, { userId, device }: DeviceContext): Promise<OpenSamples> =>
  openSampleRows(store).read(userId, { device, consistent: true });

/** Returns these days from a phone's slots; undefined when rows must be read as well. */
function readFromSlotsOnly(
  open: OpenSamples,
  { isPhone, device, rule }: SampleContext,
  metric: SampleId,
  dates: ReadonlySet<string>,
  changedUtcDays: readonly string[],
): Map<string, StoredSampleDay> | undefined {
  // Sleep stages may start more than a day before the night they belong to.
  if (!isPhone || isSessionMetric(metric) || changedUtcDays.some((day) => open.hasRows(device, day))) return undefined;
  const spans = mergeDateRanges(dates).map((run) => getStartSpan(run, rule));
  const days = open.findSlotOnlyDays(device, metric, spans);
  return days && new Map(days.map((day) => [formatSampleDayId(day), day]));
}

async function readStoredSamples(
  { store }: Deps,
  { userId, device }: DeviceContext,
  metric: SampleId,
  dates: ReadonlySet<string>,
  open: OpenSamples | Promise<OpenSamples>,
): Promise<Map<string, StoredSampleDay>> {
  const result = await Promise.all(
    mergeDateRanges(dates, 1).map(({ from, to }) =>
      sampleRows(store).readBetween(userId, metric, utcDaysAround(metric, addDays(from, 1), addDays(to, -1)), {
        device,
        consistent: true,
        open,
      }),
    ),
  );
  return new Map(result.flat().map((day) => [formatSampleDayId(day), day]));
}
