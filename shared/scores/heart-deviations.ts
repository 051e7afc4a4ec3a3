// The heart and the breath against one's own usual: what recovery and stress are made from.
import type { MetricId } from '../catalog/metrics.ts';
import {
  type Calibrating,
  computeBaseline,
  computeStandardScore,
  isCalibrating,
  type Spread,
  valuesFromTodaysSource,
} from './baseline.ts';
import type { Evidence, History } from './scoring.ts';

/** A measure that can be held against its baseline in one of several metrics: the first that has both is used. */
interface HeartMeasure {
  metrics: readonly MetricId[];
  spread: Spread;
  /** Where ratios count and not differences. */
  logarithmic?: true;
}

/** RMSSD asleep, RMSSD, SDNN: different measures, so each is held only against its own baseline. */
export const heartRateVariability: HeartMeasure = {
  metrics: ['sleep_heart_rate_variability', 'heart_rate_variability_rmssd', 'heart_rate_variability'],
  spread: { prior: 0.18, min: 0.1 },
  logarithmic: true,
};
export const restingHeartRate: HeartMeasure = {
  metrics: ['resting_heart_rate', 'sleep_heart_rate'],
  spread: { prior: 2.5, min: 2 },
};
export const respiratoryRate: HeartMeasure = {
  metrics: ['sleep_respiratory_rate', 'respiratory_rate'],
  spread: { prior: 0.6, min: 0.5 },
};

export type Deviation = Omit<Evidence, 'points'> & { z: number };

/** Null without a value today. */
export function compareToBaseline(history: History, measure: HeartMeasure): Deviation | Calibrating | null {
  const uncalibrated: Calibrating[] = [];
  for (const metric of measure.metrics) {
    const value = history.value(metric, 0);
    if (value === null) continue;
    const measured = computeDeviation(history, metric, value, measure);
    if (!isCalibrating(measured)) return measured;
    uncalibrated.push(measured);
  }
  const calibrating = closestToCalibrated(...uncalibrated);
  return calibrating ? { calibrating } : null;
}

function computeDeviation(
  history: History,
  metric: MetricId,
  value: number,
  { spread, logarithmic }: HeartMeasure,
): Deviation | Calibrating {
  const [transform, inverse] = logarithmic ? [Math.log, Math.exp] : [identity, identity];
  const before = valuesFromTodaysSource(history, metric);
  const usual = computeBaseline((days) => {
    const past = before(days);
    return past === null ? null : transform(past);
  });
  if (isCalibrating(usual)) return usual;
  return {
    input: metric,
    value,
    source: history.source(metric, 0),
    usual: inverse(usual.mean),
    z: computeStandardScore(transform(value), usual, spread),
    days: usual.days,
  };
}

const identity = (value: number): number => value;

/** Null unless it was held against a baseline. */
export const toEvidence = (measured: Deviation | Calibrating | null, points: (z: number) => number): Evidence | null =>
  measured === null || isCalibrating(measured) ? null : { ...measured, points: points(measured.z) };

/** The one that lacks the fewest days; undefined when none of them is waiting for days. */
export function closestToCalibrated(...measured: readonly (object | null)[]): Calibrating['calibrating'] | undefined {
  const uncalibrated = measured.filter((each): each is Calibrating => each !== null && isCalibrating(each));
  return uncalibrated
    .map(({ calibrating }) => calibrating)
    .toSorted((a, b) => a.needed - a.days - (b.needed - b.days) || b.days - a.days)[0];
}
