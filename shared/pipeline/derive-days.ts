// Derives a device's daily values from its samples and nights, as opposed to the totals it states.

import { type MetricId, metricRow, sessionMetrics } from '../catalog/metrics.ts';
import { adjacentDates, overlaps } from '../consolidation/adjacent-days.ts';
import { buildTimeline } from '../measurements/build-timeline.ts';
import type { StoredSample } from '../measurements/codec/sample-block.ts';
import { compareAsEqual, deduplicateSessions } from '../measurements/deduplicate-sessions.ts';
import type { Original } from '../measurements/records.ts';
import { computeDayOriginal, computeDayValue } from '../measurements/rows/samples.ts';
import type { SleepRow } from '../measurements/rows/session-rows.ts';
import { type DayPart, splitSampleByDay } from '../measurements/rows/split-sample.ts';
import { computeSleepDayMetrics, restorativeMinutes } from '../measurements/sleep.ts';
import type { Timeline } from '../measurements/timeline.ts';
import { type DayRule, localDate } from '../platform/time/local-day.ts';
import type { DayChange } from './day-change.ts';
import { summarizeNights } from './night-summary.ts';

export interface DerivedDay {
  value: number;
  original: Original | undefined;
  /** When the value was measured, for accruing metrics. */
  timeline: Timeline | undefined;
}

/** A night of one device, with the day it counts on. */
export type Night = Pick<SleepRow, 'startMs' | 'endMs'> & { date: string };

/**
 * Returns the wanted days by date. Samples of sleep stages are assigned through the device's
 * nights.
 */
export function deriveDays(
  metric: MetricId,
  samples: Iterable<StoredSample>,
  rule: DayRule,
  nights: readonly Night[],
  isWanted: (date: string) => boolean,
): Map<string, DerivedDay> {
  const isStage = sessionMetrics.has(metric);
  const byDate = new Map<string, DayPart[]>();
  for (const sample of samples)
    for (const part of isStage ? [toStagePart(sample, rule, nights)] : splitSampleByDay(metric, sample, rule)) {
      const parts = byDate.get(part.date);
      if (parts) parts.push(part);
      else if (isWanted(part.date)) byDate.set(part.date, [part]);
    }
  const days = new Map<string, DerivedDay>();
  for (const [date, parts] of byDate) {
    const value = computeDayValue(metric, parts);
    if (value === undefined) continue;
    const timeline = metricRow(metric).accrues ? buildTimeline(parts) : undefined;
    days.set(date, { value, original: computeDayOriginal(metric, parts), timeline });
  }
  return days;
}

/**
 * A stage sample counts on the date of the night that contains its midpoint, otherwise on the day
 * it ends.
 */
export function computeStageDate(sample: StoredSample, rule: DayRule, nights: readonly Night[]): string {
  const middle = (sample.startMs + sample.endMs) / 2;
  const night = nights.findLast(({ startMs, endMs }) => startMs <= middle && middle < endMs);
  return night?.date ?? localDate(sample.endMs, rule, sample);
}

const toStagePart = (sample: StoredSample, rule: DayRule, nights: readonly Night[]): DayPart => ({
  ...sample,
  date: computeStageDate(sample, rule, nights),
});

export const collectNights = (
  days: Iterable<{ date: string; sessions: readonly SleepRow[] }>,
  device: number,
): Night[] =>
  Array.from(days)
    .flatMap(({ date, sessions }) => sessions.filter((row) => row.device === device).map((row) => ({ ...row, date })))
    .sort((a, b) => a.startMs - b.startMs);

export type SleepDays = ReadonlyMap<string, { sessions: readonly SleepRow[] }>;

const sessionsOn = (days: SleepDays, date: string, device: number): SleepRow[] =>
  (days.get(date)?.sessions ?? []).filter((row) => row.device === device);

/**
 * Returns a day's own sessions, excluding duplicates of a higher-ranked record of the same night,
 * which may have another date.
 */
function countedSessionsOn(days: SleepDays, date: string, device: number): SleepRow[] {
  const ownSessions = sessionsOn(days, date, device);
  if (ownSessions.length === 0) return ownSessions;
  const adjacentSessions = adjacentDates(date).flatMap((other) => sessionsOn(days, other, device));
  return deduplicateSessions([...ownSessions, ...adjacentSessions], compareAsEqual).filter((row) =>
    ownSessions.includes(row),
  );
}

/**
 * Returns the adjacent days whose nights overlap this day's nights: the sessions that count there
 * may change with it.
 */
export const findOverlappingNightDates = (days: SleepDays, before: SleepDays, date: string, device: number): string[] =>
  adjacentDates(date).filter((other) => {
    const adjacentSessions = sessionsOn(days, other, device);
    const ownSessions = [...sessionsOn(days, date, device), ...sessionsOn(before, date, device)];
    return adjacentSessions.some((a) => ownSessions.some((b) => overlaps(a, b)));
  });

/**
 * Sets the night summary values of a device's day, and removes those that its nights no longer
 * report.
 */
export const buildSummaryChange =
  (days: SleepDays, date: string, device: number): DayChange =>
  (day) =>
    day.setSummary(summarizeNights(countedSessionsOn(days, date, device)));

/**
 * Returns the days that lost a night summary value, by metric: values from samples count there
 * again.
 */
export function findDaysWithoutSummary(
  before: SleepDays,
  now: SleepDays,
  dates: Iterable<string>,
  device: number,
): Map<MetricId, string[]> {
  const removed = new Map<MetricId, string[]>();
  for (const date of dates) {
    const summary = summarizeNights(countedSessionsOn(now, date, device));
    for (const metric of summarizeNights(sessionsOn(before, date, device)).keys())
      if (!summary.has(metric)) removed.set(metric, [...(removed.get(metric) ?? []), date]);
  }
  return removed;
}

/**
 * Values that the nights report take precedence over the sums of their stage samples. Restorative
 * sleep is deep plus REM sleep, each from either of the two.
 */
export function buildNightChange(
  days: SleepDays,
  date: string,
  device: number,
  stages: ReadonlyMap<MetricId, DerivedDay | undefined>,
): DayChange {
  const reported = computeSleepDayMetrics(countedSessionsOn(days, date, device));
  return (day) => {
    for (const metric of sessionMetrics) {
      const value = reported[metric];
      const sampled = value === undefined ? stages.get(metric) : undefined;
      day.setDerived(metric, value ?? sampled?.value ?? combinedMinutes(metric), sampled?.original);
    }
  };
  function combinedMinutes(metric: MetricId): number | undefined {
    if (metric !== 'restorative_sleep') return undefined;
    const minutesOf = (stage: MetricId): number | null => reported[stage] ?? stages.get(stage)?.value ?? null;
    return restorativeMinutes(minutesOf('deep_sleep'), minutesOf('rem_sleep')) ?? undefined;
  }
}
