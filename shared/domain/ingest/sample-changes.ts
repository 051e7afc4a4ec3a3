// Works uploaded samples into what is kept of one device, and says which days they count on, or no longer count on.

import { addDays, dateRuns, utcDay } from '../../model/local-day.ts';
import type { MetricId } from '../../model/metrics.ts';
import type { Sample } from '../../model/records.ts';
import { sleepMetrics } from '../../model/sleep-metrics.ts';
import type { KeptSample } from '../../store/codec/sample-block.ts';
import { type KeptSampleDay, sampleDayName, sampleRows } from '../../store/samples.ts';
import type { Deps } from '../deps.ts';
import { partsOf, utcDaysOf } from '../measurements/sample-parts.ts';
import { mergeSamples } from '../measurements/samples.ts';

export interface DeviceContext {
  userId: string;
  /** The device's ordinal. */
  device: number;
  profileZone: string | null;
}

/** A sample as an upload brought it, with the offset of the zone the phone was in. */
export interface IncomingSample {
  sample: Sample;
  fallbackOffsetMinutes: number;
}

export interface SampleChanges {
  /** The items to write, each with the revision it was read with. */
  items: KeptSampleDay[];
  /** By metric, the days that are to be made anew. */
  dates: Map<MetricId, Set<string>>;
  /** Every sample that may count on those days, as it is kept afterwards. */
  samplesOf(metric: MetricId): Iterable<KeptSample>;
}

/** `owed` are days to be made anew whatever the upload says of them. */
export async function sampleChanges(
  deps: Deps,
  context: DeviceContext,
  incoming: readonly IncomingSample[],
  owed: ReadonlyMap<MetricId, Iterable<string>>,
): Promise<SampleChanges> {
  const groups = grouped(incoming);
  const dates = new Map<MetricId, Set<string>>();
  for (const [metric, days] of owed) dates.set(metric, new Set(days));
  for (const [metric, byDay] of groups) {
    const found = dates.get(metric) ?? new Set();
    dates.set(metric, found);
    for (const samples of byDay.values())
      for (const sample of samples) addDates(found, metric, sample, context.profileZone);
  }
  const kept = new Map<MetricId, Map<string, KeptSampleDay>>();
  const read = (metric: MetricId, days: ReadonlySet<string>) => storedFor(deps, context, metric, days);
  await Promise.all(Array.from(dates, async ([metric, days]) => kept.set(metric, await read(metric, days))));
  const left = new Map<MetricId, Set<string>>();
  const items: KeptSampleDay[] = [];
  for (const [metric, byDay] of groups) {
    const stored = kept.get(metric) ?? new Map<string, KeptSampleDay>();
    for (const [day, samples] of byDay) {
      const name = { metric, utcDay: day, device: context.device };
      const known = stored.get(sampleDayName(name)) ?? { ...name, samples: [], revision: 0 };
      const merged = mergeSamples(known.samples, samples);
      if (!merged.changed) continue;
      const item = { ...known, samples: merged.samples };
      items.push(item);
      stored.set(sampleDayName(name), item);
      const before = left.get(metric) ?? new Set();
      left.set(metric, before);
      for (const old of merged.replaced) addDates(before, metric, old, context.profileZone);
    }
  }
  await Promise.all(
    Array.from(left, async ([metric, days]) => {
      const known = dates.get(metric) ?? new Set();
      const more = new Set([...days].filter((date) => !known.has(date)));
      for (const date of more) known.add(date);
      const stored = kept.get(metric);
      for (const [name, day] of await read(metric, more)) if (!stored?.has(name)) stored?.set(name, day);
    }),
  );
  return {
    items,
    dates,
    *samplesOf(metric) {
      for (const { samples } of kept.get(metric)?.values() ?? []) yield* samples;
    },
  };
}

/** By metric, then by the UTC day of the start. */
function grouped(incoming: readonly IncomingSample[]): Map<MetricId, Map<string, KeptSample[]>> {
  const groups = new Map<MetricId, Map<string, KeptSample[]>>();
  for (const { sample, fallbackOffsetMinutes } of incoming) {
    const { metric, startMs, endMs, value, original, offsetMinutes } = sample;
    const place = { startMs, endMs, value, offsetMinutes, fallbackOffsetMinutes };
    const byDay = groups.get(metric) ?? new Map<string, KeptSample[]>();
    groups.set(metric, byDay);
    const day = utcDay(startMs);
    const samples = byDay.get(day) ?? [];
    byDay.set(day, samples);
    samples.push(original ? { ...place, original } : place);
  }
  return groups;
}

/** Where a stage counts is for its night to say: those days are owed. */
function addDates(dates: Set<string>, metric: MetricId, sample: KeptSample, profileZone: string | null): void {
  if (!sleepMetrics.has(metric)) for (const { date } of partsOf(metric, sample, profileZone)) dates.add(date);
}

async function storedFor(
  { store }: Deps,
  { userId, device }: DeviceContext,
  metric: MetricId,
  dates: ReadonlySet<string>,
): Promise<Map<string, KeptSampleDay>> {
  const found = await Promise.all(
    dateRuns(dates, 1).map(({ from, to }) =>
      sampleRows(store).between(userId, metric, utcDaysOf(metric, addDays(from, 1), addDays(to, -1)), {
        device,
        consistent: true,
      }),
    ),
  );
  return new Map(found.flat().map((day) => [sampleDayName(day), day]));
}
