// Works uploaded samples into what is kept of one device, and says which days they count on, or no longer count on.

import type { SampleId } from '../catalog/metrics.ts';
import { isSleepMetric } from '../catalog/sleep-metrics.ts';
import type { KeptSample } from '../measurements/codec/sample-block.ts';
import type { Sample } from '../measurements/records.ts';
import { OpenSamples, openSampleRows } from '../measurements/rows/open-sample-rows.ts';
import { type KeptSampleDay, sampleDayName } from '../measurements/rows/sample-day.ts';
import { partsOf, startsWithin, utcDaysOf } from '../measurements/rows/sample-parts.ts';
import { sampleRows } from '../measurements/rows/sample-rows.ts';
import { mergeSamples, sameSamples } from '../measurements/rows/samples.ts';
import {
  addDays,
  type DateRange,
  type DayRule,
  dateRuns,
  datesInRange,
  todayIn,
  utcDay,
} from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';

export interface DeviceContext {
  userId: string;
  /** The device's ordinal. */
  device: number;
  rule: DayRule;
}

export interface SampleContext extends DeviceContext {
  /** Only phones have open samples. */
  isPhone: boolean;
}

export interface SampleChanges {
  /** The items to write, each with the revision it was read with. */
  items: KeptSampleDay[];
  /** As they were read. */
  open: OpenSamples;
  /** By metric, the days that are to be made anew. */
  dates: Map<SampleId, Set<string>>;
  /** Every sample that may count on those days, as it is kept afterwards. */
  samplesOf(metric: SampleId): Iterable<KeptSample>;
}

/** What a device said before of these days, in the zone that it was asked in, and does not say with this, it has taken back. */
export interface SampleClaim {
  metric: SampleId;
  days: DateRange;
  zone: string | null;
}

/** What counts after all that came before it, with what it takes back of that. */
export interface SampleArrival {
  samples: readonly Sample[];
  claims: readonly SampleClaim[];
}

/** `owed` are days to be made anew whatever the uploads say of them. */
export async function sampleChanges(
  deps: Deps,
  context: SampleContext,
  arrivals: readonly SampleArrival[],
  owed: ReadonlyMap<SampleId, Iterable<string>>,
): Promise<SampleChanges> {
  const inTurn = arrivals.map(({ samples, claims }) => ({ groups: grouped(samples), claims }));
  const dates = new Map<SampleId, Set<string>>();
  for (const [metric, days] of owed) dates.set(metric, new Set(days));
  for (const { groups } of inTurn)
    for (const [metric, byDay] of groups)
      for (const samples of byDay.values())
        for (const sample of samples) addDates(setOf(dates, metric), metric, sample, context.rule);
  const needed = new Map(Array.from(dates, ([metric, days]) => [metric, new Set(days)]));
  for (const { metric, days } of inTurn.flatMap(({ claims }) => claims))
    for (const date of datesInRange(days.from, days.to)) setOf(needed, metric).add(date);
  const kept = new Map<SampleId, Map<string, KeptSampleDay>>();
  const opening = needed.size > 0 && context.isPhone ? readOpen(deps, context) : new OpenSamples([]);
  const claimed = new Set(inTurn.flatMap(({ claims }) => claims.map(({ metric }) => metric)));
  const changed = (metric: SampleId): string[] =>
    inTurn.flatMap(({ groups }) => [...(groups.get(metric)?.keys() ?? [])]);
  const read = async (metric: SampleId, days: ReadonlySet<string>): Promise<Map<string, KeptSampleDay>> =>
    (claimed.has(metric) ? undefined : withoutRows(await opening, context, metric, days, changed(metric))) ??
    storedFor(deps, context, metric, days, opening);
  const [open] = await Promise.all([
    opening,
    ...Array.from(needed, async ([metric, days]) => kept.set(metric, await read(metric, days))),
  ]);
  const left = new Map<SampleId, Set<string>>();
  const before = new Map<string, KeptSampleDay>();
  const items = new Map<string, KeptSampleDay>();
  const change = (item: KeptSampleDay, samples: KeptSample[], gone: readonly KeptSample[]) => {
    const name = sampleDayName(item);
    if (!before.has(name)) before.set(name, item);
    const changed = { ...item, samples };
    items.set(name, changed);
    kept.get(item.metric)?.set(name, changed);
    for (const old of gone) addDates(setOf(left, item.metric), item.metric, old, context.rule);
  };
  for (const { groups, claims } of inTurn) {
    for (const claim of claims)
      for (const item of kept.get(claim.metric)?.values() ?? []) {
        const { stay, gone } = takenBack(item, claim, groups.get(claim.metric)?.get(item.utcDay) ?? []);
        if (gone.length > 0) change(item, stay, gone);
      }
    for (const [metric, byDay] of groups)
      for (const [day, samples] of byDay) {
        const name = { metric, utcDay: day, device: context.device };
        const known = kept.get(metric)?.get(sampleDayName(name)) ?? { ...name, samples: [], revision: 0 };
        const merged = mergeSamples(known.samples, samples);
        if (merged.changed) change(known, merged.samples, merged.replaced);
      }
  }
  await Promise.all(
    Array.from(left, async ([metric, days]) => {
      const known = setOf(dates, metric);
      const more = new Set([...days].filter((date) => !known.has(date)));
      for (const date of more) known.add(date);
      const stored = kept.get(metric);
      for (const [name, day] of await read(metric, more)) if (!stored?.has(name)) stored?.set(name, day);
    }),
  );
  return {
    // What was taken back and said again may be as it was.
    items: [...items].flatMap(([name, item]) =>
      inTurn.length > 1 && sameSamples(before.get(name)?.samples ?? [], item.samples) ? [] : [item],
    ),
    open,
    dates,
    *samplesOf(metric) {
      for (const { samples } of kept.get(metric)?.values() ?? []) yield* samples;
    },
  };
}

function setOf<T>(sets: Map<SampleId, Set<T>>, metric: SampleId): Set<T> {
  const found = sets.get(metric) ?? new Set();
  sets.set(metric, found);
  return found;
}

/** Those that begin on a claimed day and are not said again. */
function takenBack(
  { samples }: KeptSampleDay,
  { days, zone }: SampleClaim,
  again: readonly KeptSample[],
): { stay: KeptSample[]; gone: KeptSample[] } {
  const nameOf = ({ startMs, endMs }: KeptSample): string => `${startMs} ${endMs}`;
  const said = new Set(again.map(nameOf));
  const isGone = (sample: KeptSample): boolean => {
    if (said.has(nameOf(sample))) return false;
    const date = todayIn(zone, sample.startMs);
    return date >= days.from && date <= days.to;
  };
  const { stay = [], gone = [] } = Object.groupBy(samples, (sample) => (isGone(sample) ? 'gone' : 'stay'));
  return { stay, gone };
}

/** By metric, then by the UTC day of the start. */
function grouped(incoming: readonly Sample[]): Map<SampleId, Map<string, KeptSample[]>> {
  const groups = new Map<SampleId, Map<string, KeptSample[]>>();
  for (const { metric, startMs, endMs, value, original, offsetMinutes } of incoming) {
    const plain = { startMs, endMs, value, offsetMinutes };
    const byDay = groups.get(metric) ?? new Map<string, KeptSample[]>();
    groups.set(metric, byDay);
    const day = utcDay(startMs);
    const samples = byDay.get(day) ?? [];
    byDay.set(day, samples);
    samples.push(original ? { ...plain, original } : plain);
  }
  return groups;
}

/** Where a stage counts is for its night to say: those days are owed. */
function addDates(dates: Set<string>, metric: SampleId, sample: KeptSample, rule: DayRule): void {
  if (!isSleepMetric(metric)) for (const { date } of partsOf(metric, sample, rule)) dates.add(date);
}

const readOpen = ({ store }: Deps, { userId, device }: DeviceContext): Promise<OpenSamples> =>
  openSampleRows(store).read(userId, { device, consistent: true });

/** These days as a phone's slots hold them; undefined when rows must be read as well. */
function withoutRows(
  open: OpenSamples,
  { isPhone, device, rule }: SampleContext,
  metric: SampleId,
  dates: ReadonlySet<string>,
  changedUtcDays: readonly string[],
): Map<string, KeptSampleDay> | undefined {
  // Sleep stages may start more than a day before the night they belong to.
  if (!isPhone || isSleepMetric(metric) || changedUtcDays.some((day) => open.hasRows(device, day))) return undefined;
  const spans = dateRuns(dates).map((run) => startsWithin(run, rule));
  const days = open.withoutRows(device, metric, spans);
  return days && new Map(days.map((day) => [sampleDayName(day), day]));
}

async function storedFor(
  { store }: Deps,
  { userId, device }: DeviceContext,
  metric: SampleId,
  dates: ReadonlySet<string>,
  open: OpenSamples | Promise<OpenSamples>,
): Promise<Map<string, KeptSampleDay>> {
  const found = await Promise.all(
    dateRuns(dates, 1).map(({ from, to }) =>
      sampleRows(store).between(userId, metric, utcDaysOf(metric, addDays(from, 1), addDays(to, -1)), {
        device,
        consistent: true,
        open,
      }),
    ),
  );
  return new Map(found.flat().map((day) => [sampleDayName(day), day]));
}
