// What a device's samples and nights say about its days, as against the totals it states.

import type { MetricId } from '../catalog/metrics.ts';
import { metricRow } from '../catalog/metrics.ts';
import { sleepMetrics } from '../catalog/sleep-metrics.ts';
import { datesBeside, overlap } from '../consolidation/beside.ts';
import type { KeptSample } from '../measurements/codec/sample-block.ts';
import type { Original } from '../measurements/records.ts';
import { type Part, partsOf } from '../measurements/rows/sample-parts.ts';
import { dayOriginal, dayValue } from '../measurements/rows/samples.ts';
import type { SleepRow } from '../measurements/rows/session-rows.ts';
import { equallyGood, oneOfEach } from '../measurements/sessions.ts';
import { restorativeMinutes, sleepDayMetrics } from '../measurements/sleep.ts';
import { timelineOf } from '../measurements/timeline.ts';
import type { Timeline } from '../measurements/timeline-span.ts';
import { type DayRule, localDate } from '../platform/time/local-day.ts';
import type { DayChange } from './day-change.ts';
import { summaryOf } from './night-summary.ts';

export interface DerivedDay {
  value: number;
  original: Original | undefined;
  /** When it was measured, where that matters. */
  timeline: Timeline | undefined;
}

/** One device's night on the day it counts toward. */
export type Night = Pick<SleepRow, 'startMs' | 'endMs'> & { date: string };

/** By date; days that are not wanted are left out. Samples of sleep stages lie in the device's nights. */
export function derivedDays(
  metric: MetricId,
  samples: Iterable<KeptSample>,
  rule: DayRule,
  nights: readonly Night[],
  isWanted: (date: string) => boolean,
): Map<string, DerivedDay> {
  const isStage = sleepMetrics.has(metric);
  const byDate = new Map<string, Part[]>();
  for (const sample of samples)
    for (const part of isStage ? [stagePart(sample, rule, nights)] : partsOf(metric, sample, rule)) {
      const parts = byDate.get(part.date);
      if (parts) parts.push(part);
      else if (isWanted(part.date)) byDate.set(part.date, [part]);
    }
  const days = new Map<string, DerivedDay>();
  for (const [date, parts] of byDate) {
    const value = dayValue(metric, parts);
    if (value === undefined) continue;
    const timeline = metricRow(metric).accrues ? timelineOf(parts) : undefined;
    days.set(date, { value, original: dayOriginal(metric, parts), timeline });
  }
  return days;
}

/** A sample of a stage counts with the night that holds its middle, else on the day it ends. */
export function stageDate(sample: KeptSample, rule: DayRule, nights: readonly Night[]): string {
  const middle = (sample.startMs + sample.endMs) / 2;
  const night = nights.findLast(({ startMs, endMs }) => startMs <= middle && middle < endMs);
  return night?.date ?? localDate(sample.endMs, rule, sample);
}

const stagePart = (sample: KeptSample, rule: DayRule, nights: readonly Night[]): Part => ({
  ...sample,
  date: stageDate(sample, rule, nights),
});

export const nightsOf = (days: Iterable<{ date: string; sessions: readonly SleepRow[] }>, device: number): Night[] =>
  Array.from(days)
    .flatMap(({ date, sessions }) => sessions.filter((row) => row.device === device).map((row) => ({ ...row, date })))
    .sort((a, b) => a.startMs - b.startMs);

export type SleepDays = ReadonlyMap<string, { sessions: readonly SleepRow[] }>;

const ownOn = (days: SleepDays, date: string, device: number): SleepRow[] =>
  (days.get(date)?.sessions ?? []).filter((row) => row.device === device);

/** A day's own reports, without those that tell of the same night as a better one, which may be dated otherwise. */
function countedOn(days: SleepDays, date: string, device: number): SleepRow[] {
  const own = ownOn(days, date, device);
  if (own.length === 0) return own;
  const beside = datesBeside(date).flatMap((other) => ownOn(days, other, device));
  return oneOfEach([...own, ...beside], equallyGood).filter((row) => own.includes(row));
}

/** The days beside one whose nights overlap with its own: what counts there may change with it. */
export const nightsBeside = (days: SleepDays, before: SleepDays, date: string, device: number): string[] =>
  datesBeside(date).filter((other) => {
    const beside = ownOn(days, other, device);
    const own = [...ownOn(days, date, device), ...ownOn(before, date, device)];
    return beside.some((a) => own.some((b) => overlap(a, b)));
  });

/** What the day's nights of a device tell as a whole, and nothing that they no longer tell. */
export const applySummaries =
  (days: SleepDays, date: string, device: number): DayChange =>
  (day) =>
    day.summarize(summaryOf(countedOn(days, date, device)));

/** By metric, the days that lost what a night told: what samples say counts there again. */
export function daysWithoutSummary(
  before: SleepDays,
  now: SleepDays,
  dates: Iterable<string>,
  device: number,
): Map<MetricId, string[]> {
  const removed = new Map<MetricId, string[]>();
  for (const date of dates) {
    const summary = summaryOf(countedOn(now, date, device));
    for (const metric of summaryOf(ownOn(before, date, device)).keys())
      if (!summary.has(metric)) removed.set(metric, [...(removed.get(metric) ?? []), date]);
  }
  return removed;
}

/**
 * What the nights report themselves comes before what samples of their stages add up to; deep and
 * REM sleep make restorative sleep, whichever of the two ways each of them was told.
 */
export function nightChange(
  days: SleepDays,
  date: string,
  device: number,
  stages: ReadonlyMap<MetricId, DerivedDay | undefined>,
): DayChange {
  const reported = sleepDayMetrics(countedOn(days, date, device));
  return (day) => {
    for (const metric of sleepMetrics) {
      const value = reported[metric];
      const sampled = value === undefined ? stages.get(metric) : undefined;
      day.derive(metric, value ?? sampled?.value ?? togetherOf(metric), sampled?.original);
    }
  };
  function togetherOf(metric: MetricId): number | undefined {
    if (metric !== 'restorative_sleep') return undefined;
    const minutesOf = (stage: MetricId): number | null => reported[stage] ?? stages.get(stage)?.value ?? null;
    return restorativeMinutes(minutesOf('deep_sleep'), minutesOf('rem_sleep')) ?? undefined;
  }
}
