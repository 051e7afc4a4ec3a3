// Compares heart and respiratory measures with the user's baseline, for the recovery and stress
// scores.
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

/**
 * A measure that can be compared with its baseline in one of several metrics: the first metric with
 * both a value and a baseline is used.
 */
interface HeartMeasure {
  metrics: readonly MetricId[];
  spread: Spread;
  /** Set where ratios matter rather than differences. */
  logarithmic?: true;
}

/**
 * RMSSD during sleep, RMSSD and SDNN are different measures, so each is compared only with its own
 * baseline.
 */
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

/** Returns null without a value today. */
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

/** Returns null unless the measure was compared with a baseline. */
export const toEvidence = (measured: Deviation | Calibrating | null, points: (z: number) => number): Evidence | null =>
  measured === null || isCalibrating(measured) ? null : { ...measured, points: points(measured.z) };

/** Returns the one that lacks the fewest days; undefined when none is calibrating. */
export function closestToCalibrated(...measured: readonly (object | null)[]): Calibrating['calibrating'] | undefined {
  const uncalibrated = measured.filter((each): each is Calibrating => each !== null && isCalibrating(each));
  return uncalibrated
    .map(({ calibrating }) => calibrating)
    .toSorted((a, b) => a.needed - a.days - (b.needed - b.days) || b.days - a.days)[0];
}
