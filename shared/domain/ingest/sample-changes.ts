// Works an upload's samples into what is kept, and says which day values follow from them.

import type { MetricId } from '../../model/metrics.ts';
import { metricRow } from '../../model/metrics.ts';
import type { Original, Sample } from '../../model/records.ts';
import type { KeptSample } from '../../store/codec/sample-block.ts';
import { type KeptSampleDay, type SampleDay, sampleDayName } from '../../store/samples.ts';
import type { Deps } from '../deps.ts';
import { addDays, localDate, utcDay } from '../local-day.ts';
import { dayValue, mergeSamples } from '../samples.ts';

export interface SampleChanges {
  /** The items to write, each with the revision it was read with. */
  items: KeptSampleDay[];
  /** Every day and metric the upload speaks of, whether anything changed or not. */
  derived: { date: string; metric: MetricId; value: number | undefined; original: Original | undefined }[];
}

export interface DeviceContext {
  userId: string;
  /** The device's ordinal. */
  device: number;
  profileZone: string | null;
  /** The offset of the zone the phone reported, at an instant. */
  fallbackOffsetMinutes(ms: number): number;
}

export async function sampleChanges(
  deps: Deps,
  context: DeviceContext,
  samples: readonly Sample[],
): Promise<SampleChanges> {
  const incoming = new Map<string, { day: SampleDay; samples: KeptSample[] }>();
  const spokenOf = new Map<MetricId, Set<string>>();
  for (const sample of samples) {
    const kept = keep(sample, context);
    const day = { metric: sample.metric, utcDay: utcDay(sample.startMs), device: context.device };
    const group = incoming.get(sampleDayName(day)) ?? { day, samples: [] };
    group.samples.push(kept);
    incoming.set(sampleDayName(day), group);
    const dates = spokenOf.get(sample.metric) ?? new Set();
    spokenOf.set(sample.metric, dates.add(dateOf(kept, context.profileZone)));
  }
  const stored = await deps.store.samples.on(context.userId, neighbours(spokenOf, context.device));

  const items: KeptSampleDay[] = [];
  const now = new Map<string, readonly KeptSample[]>([...stored].map(([name, day]) => [name, day.samples]));
  for (const [name, group] of incoming) {
    const known = stored.get(name);
    const merged = mergeSamples(known?.samples ?? [], group.samples);
    now.set(name, merged.samples);
    if (merged.changed) items.push({ ...group.day, samples: merged.samples, revision: known?.revision ?? 0 });
  }
  return { items, derived: [...spokenOf].flatMap(([metric, dates]) => derive(metric, dates, now, context)) };
}

export const dateOf = (sample: KeptSample, profileZone: string | null): string =>
  localDate(sample.startMs, { ...sample, profileZone });

const keep = (sample: Sample, { fallbackOffsetMinutes }: DeviceContext): KeptSample => ({
  startMs: sample.startMs,
  endMs: sample.endMs,
  value: sample.value,
  ...(sample.original ? { original: sample.original } : {}),
  offsetMinutes: sample.offsetMinutes,
  fallbackOffsetMinutes: fallbackOffsetMinutes(sample.startMs),
});

/** A local day touches at most three UTC days. */
const utcDaysOf = (date: string): string[] => [addDays(date, -1), date, addDays(date, 1)];

function neighbours(spokenOf: Map<MetricId, Set<string>>, device: number): SampleDay[] {
  return [...spokenOf].flatMap(([metric, dates]) =>
    [...new Set([...dates].flatMap(utcDaysOf))].map((each) => ({ metric, utcDay: each, device })),
  );
}

function derive(
  metric: MetricId,
  dates: Set<string>,
  now: Map<string, readonly KeptSample[]>,
  { device, profileZone }: DeviceContext,
): SampleChanges['derived'] {
  return [...dates].map((date) => {
    const ofDay = utcDaysOf(date).flatMap((each) =>
      (now.get(sampleDayName({ metric, utcDay: each, device })) ?? []).filter(
        (sample) => dateOf(sample, profileZone) === date,
      ),
    );
    return { date, metric, value: dayValue(metric, ofDay), original: onlyOriginal(metric, ofDay) };
  });
}

/** A day value is the source's own number only when one sample made it. */
export function onlyOriginal(metric: MetricId, samples: readonly KeptSample[]): Original | undefined {
  const [only, ...others] = metricRow(metric).aggregation === 'last' ? samples.slice(-1) : samples;
  return others.length === 0 ? only?.original : undefined;
}
