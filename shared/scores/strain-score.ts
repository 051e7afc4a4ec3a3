// Strain: the day's activity relative to the user's mean of the last four weeks. Relative to habit
// as in Gabbett 2016; intensity is not considered.
import type { MetricId } from '../catalog/metrics.ts';
import { noData } from '../catalog/score-states.ts';
import { baselineDays, type Calibrating, computeBaseline, isCalibrating, valuesFromTodaysSource } from './baseline.ts';
import { loadPoints } from './curves.ts';
import { closestToCalibrated } from './heart-deviations.ts';
import { computeWeightedScore, type Evidence, type History, type ScoreOutcome } from './scoring.ts';

/** A day below both limits and without exercise counts as a day without the device. */
export const minWorn = { steps: 500, active_calories: 50 } as const;
/**
 * The minimum load that activity is compared with, so that a short walk of an inactive user does
 * not count as a heavy load.
 */
export const minUsualLoad = { active_calories: 200, exercise: 20, steps: 4_000 } as const;

type Load = keyof typeof minUsualLoad;
const loads: readonly Load[] = ['active_calories', 'exercise', 'steps'];

export function strainScore(history: History): ScoreOutcome {
  if (loads.every((metric) => history.value(metric, 0) === null)) return noData;
  if (!isWorn(history, 0)) return { status: 'missing', reason: 'not_worn' };
  const energy = computeLoad(history, 'active_calories', history.value('active_calories', 0));
  const exercise = computeExerciseLoad(history);
  const steps = computeLoad(history, 'steps', history.value('steps', 0));
  const score = computeWeightedScore('strain_score', {
    active_energy: evidenceOrNull(energy),
    exercise: evidenceOrNull(exercise),
    steps: evidenceOrNull(steps),
  });
  if (score !== null) return score;
  const calibrating = closestToCalibrated(energy, exercise, steps);
  return calibrating ? { status: 'calibrating', ...calibrating } : noData;
}

const evidenceOrNull = (load: Evidence | Calibrating | null): Evidence | null =>
  load === null || isCalibrating(load) ? null : load;

function isWorn(history: History, back: number): boolean {
  const reaches = (metric: MetricId, min: number) => (history.value(metric, back) ?? 0) >= min;
  return (
    reaches('steps', minWorn.steps) || reaches('active_calories', minWorn.active_calories) || reaches('exercise', 1)
  );
}

function computeLoad(
  history: History,
  metric: Load,
  value: number | null,
  before: (back: number) => number | null = valuesFromTodaysSource(history, metric),
  source: number | null = history.source(metric, 0),
): Evidence | Calibrating | null {
  if (value === null) return null;
  const usual = computeBaseline((back) => (isWorn(history, back) ? before(back) : null));
  if (isCalibrating(usual)) return usual;
  const ratio = value / Math.max(usual.mean, minUsualLoad[metric]);
  return { points: loadPoints(ratio), input: metric, value, source, usual: usual.mean, days: usual.days };
}

/**
 * Sources report exercise only on days that have some, so a measured day without a report counts as
 * zero.
 */
function computeExerciseLoad(history: History): Evidence | Calibrating | null {
  // Only days measured by today's devices count: exercise reported by other devices is excluded,
  // and counting only the rest days would make the baseline too low.
  const devices = new Set(loads.map((metric) => history.source(metric, 0)));
  const wasMeasured = (back: number): boolean =>
    (['steps', 'active_calories'] as const).some((metric) => {
      const source = history.source(metric, back);
      return source !== null && devices.has(source);
    });
  const source = findExerciseSource(history, wasMeasured);
  if (source === null) return null;
  const minutes = (back: number): number | null => {
    const stated = history.value('exercise', back);
    if (stated === null) return wasMeasured(back) ? 0 : null;
    return history.source('exercise', back) === source ? stated : null;
  };
  return computeLoad(history, 'exercise', minutes(0), minutes, source);
}

/**
 * Returns today's source, otherwise the newest one of the last four weeks on a day that today's
 * devices measured. A user whose devices never report exercise is not assumed to have none.
 */
function findExerciseSource(history: History, wasMeasured: (back: number) => boolean): number | null {
  for (let back = 0; back <= baselineDays; back++) {
    const source = history.source('exercise', back);
    if (source !== null && (back === 0 || wasMeasured(back))) return source;
  }
  return null;
}
