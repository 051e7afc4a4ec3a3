// Strain: the day's load as a ratio to the load one is used to, the mean of the 28 days before. Banister 1991, Gabbett 2016.
import type { MetricId } from '../../model/metrics.ts';
import type { Score } from '../../model/scores.ts';
import { baselineOf } from './baseline.ts';
import { type History, weighted } from './scoring.ts';

/** Null unless at least one of its loads has a baseline and a value today. */
export function strainScore(history: History): Score | null {
  return weighted('strain_score', {
    active_energy: loadPoints(history, 'active_calories', 100),
    exercise: loadPoints(history, 'exercise', 10),
    steps: loadPoints(history, 'steps', 1_000),
  });
}

/** Log-logistic in the ratio: nothing at rest, 50 for the usual load, 80 for twice as much, never quite 100. */
function loadPoints(history: History, metric: MetricId, leastUsual: number): number | null {
  const today = history.value(metric, 0);
  const usual = today === null ? null : baselineOf(history, metric);
  if (today === null || usual === null) return null;
  const ratio = today / Math.max(usual.mean, leastUsual);
  return (100 * ratio ** 2) / (1 + ratio ** 2);
}
