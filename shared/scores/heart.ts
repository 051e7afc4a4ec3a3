// The heart and the breath against one's own usual: what recovery and stress are made from.
import type { MetricId } from '../catalog/metrics.ts';
import {
  baselineFrom,
  type Calibrating,
  isCalibrating,
  ofTodaysSource,
  type Spread,
  standardScore,
} from './baseline.ts';
import type { Evidence, History } from './scoring.ts';

/** A measure that can be held against its baseline in one of several metrics: the first that has both is used. */
interface Measure {
  metrics: readonly MetricId[];
  spread: Spread;
  /** Where ratios count and not differences. */
  logarithmic?: true;
}

/** RMSSD asleep, RMSSD, SDNN: different measures, so each is held only against its own baseline. */
export const variability: Measure = {
  metrics: ['sleep_heart_rate_variability', 'heart_rate_variability_rmssd', 'heart_rate_variability'],
  spread: { prior: 0.18, least: 0.1 },
  logarithmic: true,
};
export const restingHeartRate: Measure = {
  metrics: ['resting_heart_rate', 'sleep_heart_rate'],
  spread: { prior: 2.5, least: 2 },
};
export const respiratoryRate: Measure = {
  metrics: ['sleep_respiratory_rate', 'respiratory_rate'],
  spread: { prior: 0.6, least: 0.5 },
};

export type Deviation = Omit<Evidence, 'points'> & { z: number };

/** Null without a value today. */
export function againstUsual(history: History, measure: Measure): Deviation | Calibrating | null {
  const waiting: Calibrating[] = [];
  for (const metric of measure.metrics) {
    const value = history.value(metric, 0);
    if (value === null) continue;
    const found = deviationOf(history, metric, value, measure);
    if (!isCalibrating(found)) return found;
    waiting.push(found);
  }
  const calibrating = nearestToReady(...waiting);
  return calibrating ? { calibrating } : null;
}

function deviationOf(
  history: History,
  metric: MetricId,
  value: number,
  { spread, logarithmic }: Measure,
): Deviation | Calibrating {
  const [there, back] = logarithmic ? [Math.log, Math.exp] : [same, same];
  const before = ofTodaysSource(history, metric);
  const usual = baselineFrom((days) => {
    const then = before(days);
    return then === null ? null : there(then);
  });
  if (isCalibrating(usual)) return usual;
  return {
    input: metric,
    value,
    source: history.source(metric, 0),
    usual: back(usual.mean),
    z: standardScore(there(value), usual, spread),
    days: usual.days,
  };
}

const same = (value: number): number => value;

/** Null unless it was held against a baseline. */
export const judged = (found: Deviation | Calibrating | null, points: (z: number) => number): Evidence | null =>
  found === null || isCalibrating(found) ? null : { ...found, points: points(found.z) };

/** The one that lacks the fewest days; undefined when none of them is waiting for days. */
export function nearestToReady(...found: readonly (object | null)[]): Calibrating['calibrating'] | undefined {
  const waiting = found.filter((each): each is Calibrating => each !== null && isCalibrating(each));
  return waiting
    .map(({ calibrating }) => calibrating)
    .toSorted((a, b) => a.needed - a.days - (b.needed - b.days) || b.days - a.days)[0];
}
