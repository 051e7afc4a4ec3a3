// Strain: the day's activity as a ratio to the mean of one's own four weeks. Relative to habit as in Gabbett 2016; it knows no intensity.
import type { MetricId } from '../catalog/metrics.ts';
import { noData } from '../catalog/score-states.ts';
import { baselineDays, baselineFrom, type Calibrating, isCalibrating, ofTodaysSource } from './baseline.ts';
import { loadPoints } from './curves.ts';
import { nearestToReady } from './heart.ts';
import { type Evidence, type History, type Outcome, weighted } from './scoring.ts';

/** A day with less of both was spent without the device. */
export const leastWorn = { steps: 500, active_calories: 50 } as const;
/** Whoever moves less is held against this much: a walk is no mountain. */
export const leastUsualLoad = { active_calories: 200, exercise: 20, steps: 4_000 } as const;

type Load = keyof typeof leastUsualLoad;
const loads: readonly Load[] = ['active_calories', 'exercise', 'steps'];

export function strainScore(history: History): Outcome {
  if (loads.every((metric) => history.value(metric, 0) === null)) return noData;
  if (!isWorn(history, 0)) return { status: 'missing', reason: 'not_worn' };
  const energy = loadOf(history, 'active_calories', history.value('active_calories', 0));
  const exercise = exerciseOf(history);
  const steps = loadOf(history, 'steps', history.value('steps', 0));
  const score = weighted('strain_score', {
    active_energy: evidenceIn(energy),
    exercise: evidenceIn(exercise),
    steps: evidenceIn(steps),
  });
  if (score !== null) return score;
  const calibrating = nearestToReady(energy, exercise, steps);
  return calibrating ? { status: 'calibrating', ...calibrating } : noData;
}

const evidenceIn = (found: Evidence | Calibrating | null): Evidence | null =>
  found === null || isCalibrating(found) ? null : found;

function isWorn(history: History, back: number): boolean {
  const reaches = (metric: MetricId, least: number) => (history.value(metric, back) ?? 0) >= least;
  return (
    reaches('steps', leastWorn.steps) || reaches('active_calories', leastWorn.active_calories) || reaches('exercise', 1)
  );
}

function loadOf(
  history: History,
  metric: Load,
  value: number | null,
  before: (back: number) => number | null = ofTodaysSource(history, metric),
  source: number | null = history.source(metric, 0),
): Evidence | Calibrating | null {
  if (value === null) return null;
  const usual = baselineFrom((back) => (isWorn(history, back) ? before(back) : null));
  if (isCalibrating(usual)) return usual;
  const ratio = value / Math.max(usual.mean, leastUsualLoad[metric]);
  return { points: loadPoints(ratio), input: metric, value, source, usual: usual.mean, days: usual.days };
}

/** Sources tell of exercise on the days that had some: without a word of it, a day that was measured had none. */
function exerciseOf(history: History): Evidence | Calibrating | null {
  // Only by the devices of today: of another's days the exercise is left out, and its rest alone would be too little.
  const devices = new Set(loads.map((metric) => history.source(metric, 0)));
  const wasMeasured = (back: number): boolean =>
    (['steps', 'active_calories'] as const).some((metric) => {
      const source = history.source(metric, back);
      return source !== null && devices.has(source);
    });
  const source = exerciseSource(history, wasMeasured);
  if (source === null) return null;
  const minutes = (back: number): number | null => {
    const stated = history.value('exercise', back);
    if (stated === null) return wasMeasured(back) ? 0 : null;
    return history.source('exercise', back) === source ? stated : null;
  };
  return loadOf(history, 'exercise', minutes(0), minutes, source);
}

/**
 * Today's, else the newest of four weeks on a day that today's devices measured: whoever's devices never speak of exercise is not
 * taken to have none.
 */
function exerciseSource(history: History, wasMeasured: (back: number) => boolean): number | null {
  for (let back = 0; back <= baselineDays; back++) {
    const source = history.source('exercise', back);
    if (source !== null && (back === 0 || wasMeasured(back))) return source;
  }
  return null;
}
