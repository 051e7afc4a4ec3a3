// What is usual for a person: a metric over the days before, of the same device as today, which the day itself never enters.

import type { MetricId } from '../catalog/metrics.ts';
import { meanOf } from '../platform/arithmetic.ts';
import type { History } from './scoring.ts';

export const baselineDays = 28;
/** With fewer days a baseline says nothing, and the score is still calibrating. */
export const minBaselineDays = 5;
/** What is usual must also be recent. */
export const recentDays = 14;
export const minRecentDays = 3;
/** Outliers are pulled in to this many deviations from the median, the deviation taken from the median distance. */
export const maxMedianDeviations = 3;
export const deviationsPerMedianDistance = 1.4826;
/** How many days' worth the spread of people in general counts for beside the person's own. */
export const priorDays = 7;

export interface Baseline {
  mean: number;
  /** Of the days themselves. */
  deviation: number;
  /** How many days it stands on. */
  days: number;
}

/** Days so far that a baseline lacks, of how many. */
export interface Calibrating {
  calibrating: { days: number; needed: number };
}
export const isCalibrating = (result: object): result is Calibrating => 'calibrating' in result;

/** The values a baseline is made of, by how many days back; null for a day that does not count. */
export function computeBaseline(valueOn: (back: number) => number | null): Baseline | Calibrating {
  const values: number[] = [];
  let recent = 0;
  for (let back = 1; back <= baselineDays; back++) {
    const value = valueOn(back);
    if (value === null) continue;
    values.push(value);
    if (back <= recentDays) recent++;
  }
  if (values.length < minBaselineDays) return { calibrating: { days: values.length, needed: minBaselineDays } };
  if (recent < minRecentDays) return { calibrating: { days: recent, needed: minRecentDays } };
  const clipped = clipOutliers(values);
  const mean = meanOf(clipped);
  const squares = clipped.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / (clipped.length - 1)), days: clipped.length };
}

function clipOutliers(values: readonly number[]): number[] {
  const middle = computeMedian(values);
  const distance = computeMedian(values.map((value) => Math.abs(value - middle)));
  if (distance === 0) return [...values];
  const maxDistance = maxMedianDeviations * deviationsPerMedianDistance * distance;
  return values.map((value) => Math.min(middle + maxDistance, Math.max(middle - maxDistance, value)));
}

function computeMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** A metric's values of the days before that came from the device its value came from today: devices differ by more than days do. */
export const valuesFromTodaysSource = (history: History, metric: MetricId): ((back: number) => number | null) => {
  const source = history.source(metric, 0);
  return (back) => (history.source(metric, back) === source ? history.value(metric, back) : null);
};

/** How much a measure differs from day to day. */
export interface Spread {
  /** In people in general. */
  prior: number;
  /** A sensor's own error is about this much, so nobody's days are taken to differ by less. */
  min: number;
}

/** In deviations from the usual. A few days' own spread is taken with people's in general, and their mean as no surer than it is. */
export function computeStandardScore(
  value: number,
  { mean, deviation, days }: Baseline,
  { prior, min }: Spread,
): number {
  const variance = (priorDays * prior ** 2 + (days - 1) * deviation ** 2) / (days + priorDays - 1);
  return (value - mean) / (Math.max(min, Math.sqrt(variance)) * Math.sqrt(1 + 1 / days));
}
