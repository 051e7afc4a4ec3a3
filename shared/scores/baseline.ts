// Computes a user's baseline: a metric over the preceding days, from the same device as today's
// value. The day itself is never included.

import type { MetricId } from '../catalog/metrics.ts';
import { meanOf } from '../platform/arithmetic.ts';
import type { History } from './scoring.ts';

export const baselineDays = 28;
/** With fewer days there is no baseline, and the score is still calibrating. */
export const minBaselineDays = 5;
/** A baseline must also contain recent days. */
export const recentDays = 14;
export const minRecentDays = 3;
/**
 * Outliers are clipped to this number of deviations from the median; the deviation is estimated
 * from the median absolute deviation.
 */
export const maxMedianDeviations = 3;
export const deviationsPerMedianDistance = 1.4826;
/** The weight, in days, of the general population's spread relative to the user's own. */
export const priorDays = 7;

export interface Baseline {
  mean: number;
  /** The standard deviation of the daily values. */
  deviation: number;
  /** The number of days in the baseline. */
  days: number;
}

/** The number of days a baseline has so far, and the number it needs. */
export interface Calibrating {
  calibrating: { days: number; needed: number };
}
export const isCalibrating = (result: object): result is Calibrating => 'calibrating' in result;

/**
 * `valueOn` returns the value of a day, by the number of days back; null for a day that does not
 * count.
 */
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

/**
 * Returns a metric's values on the preceding days that came from the same device as today's value,
 * because devices differ by more than days do.
 */
export const valuesFromTodaysSource = (history: History, metric: MetricId): ((back: number) => number | null) => {
  const source = history.source(metric, 0);
  return (back) => (history.source(metric, back) === source ? history.value(metric, back) : null);
};

/** How much a measure varies from day to day. */
export interface Spread {
  /** In the general population. */
  prior: number;
  /** About the error of a sensor, so no user's days are assumed to vary by less. */
  min: number;
}

/**
 * Returns the distance from the baseline in standard deviations. With few days, the user's own
 * spread is combined with the general population's, and the uncertainty of the mean is included.
 */
export function computeStandardScore(
  value: number,
  { mean, deviation, days }: Baseline,
  { prior, min }: Spread,
): number {
  const variance = (priorDays * prior ** 2 + (days - 1) * deviation ** 2) / (days + priorDays - 1);
  return (value - mean) / (Math.max(min, Math.sqrt(variance)) * Math.sqrt(1 + 1 / days));
}
