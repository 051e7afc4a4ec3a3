// What is usual for a person: mean and spread of a metric over the days before, which the day itself never enters.
import type { MetricId } from '../../model/metrics.ts';
import type { History } from './scoring.ts';

export const baselineDays = 28;
/** With fewer days a baseline says nothing, and the score is still calibrating. */
export const leastBaselineDays = 5;

export interface Baseline {
  mean: number;
  deviation: number;
}

export function baselineOf(
  history: History,
  metric: MetricId,
  measure: (value: number) => number = (value) => value,
): Baseline | null {
  const values: number[] = [];
  for (let back = 1; back <= baselineDays; back++) {
    const value = history.value(metric, back);
    if (value !== null) values.push(measure(value));
  }
  if (values.length < leastBaselineDays) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, deviation: Math.sqrt(variance) };
}

/** How a metric is held against its baseline. */
export interface Against {
  metric: MetricId;
  measure?: (value: number) => number;
  /** A person whose days hardly differ is judged as if they differed by this much. */
  leastDeviation: number;
}

/** In standard deviations above the usual; null without a value today or without a baseline. */
function standardScore(history: History, { metric, measure, leastDeviation }: Against): number | null {
  const today = history.value(metric, 0);
  const usual = today === null ? null : baselineOf(history, metric, measure);
  if (today === null || usual === null) return null;
  return ((measure ? measure(today) : today) - usual.mean) / Math.max(usual.deviation, leastDeviation);
}

const naturalLogarithm = (value: number): number => Math.log(value);

/** RMSSD asleep, RMSSD, SDNN: different measures, so each is held only against its own baseline, and the first that can be is used. */
const variability: readonly Against[] = (
  ['sleep_heart_rate_variability', 'heart_rate_variability_rmssd', 'heart_rate_variability'] as const
).map((metric) => ({ metric, measure: naturalLogarithm, leastDeviation: 0.05 }));

const restingHeartRate: readonly Against[] = (['resting_heart_rate', 'sleep_heart_rate'] as const).map((metric) => ({
  metric,
  leastDeviation: 1,
}));

const respiratoryRate: readonly Against[] = (['sleep_respiratory_rate', 'respiratory_rate'] as const).map((metric) => ({
  metric,
  leastDeviation: 0.3,
}));

const firstThatCan = (history: History, candidates: readonly Against[]): number | null => {
  for (const against of candidates) {
    const score = standardScore(history, against);
    if (score !== null) return score;
  }
  return null;
};

export const variabilityScore = (history: History): number | null => firstThatCan(history, variability);
export const restingHeartRateScore = (history: History): number | null => firstThatCan(history, restingHeartRate);
export const respiratoryRateScore = (history: History): number | null => firstThatCan(history, respiratoryRate);
