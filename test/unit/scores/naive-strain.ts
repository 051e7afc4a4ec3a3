// A naive version of strain, straight from the description: each load of a day compared with the
// mean of the days on which a device was worn.
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import {
  isWaiting,
  nearest,
  on,
  type PlainDay,
  type PlainHistory,
  sameDevice,
  usualOf,
  type Waiting,
} from './naive-baseline.ts';
import { type NaiveFactor, type NaiveOutcome, naiveScore } from './naive-score.ts';

const loads = [
  { name: 'active_energy', metric: 'active_calories', weight: 50, floor: 200 },
  { name: 'exercise', metric: 'exercise', weight: 30, floor: 20 },
  { name: 'steps', metric: 'steps', weight: 20, floor: 4000 },
] as const satisfies { name: string; metric: MetricId; weight: number; floor: number }[];

const worn = (history: PlainHistory, back: number): boolean =>
  (on(history, back, 'steps') ?? 0) >= 500 ||
  (on(history, back, 'active_calories') ?? 0) >= 50 ||
  (on(history, back, 'exercise') ?? 0) >= 1;

/** Whether the day was measured by one of the devices that report today's load. */
function measuredByTodays(history: PlainHistory, day: PlainDay): boolean {
  const reported = loads.filter(({ metric }) => on(history, 0, metric) !== undefined);
  const devices = reported.map(({ metric }) => history[0]?.from[metric]);
  return (['steps', 'active_calories'] as const).some(
    (metric) => day.values[metric] !== undefined && devices.includes(day.from[metric]),
  );
}

/**
 * The device that reports exercise today, or else the one that did last in four weeks on a day
 * measured by a device of today.
 */
function exerciseDevice(history: PlainHistory): number | undefined {
  const [today, ...before] = history.slice(0, 29);
  const reported = before.find((day) => day.values.exercise !== undefined && measuredByTodays(history, day));
  return today?.values.exercise === undefined ? reported?.from.exercise : today.from.exercise;
}

/**
 * A measured day without exercise data had no exercise, for users whose exercise is reported at
 * all.
 */
function withRest(history: PlainHistory): PlainHistory {
  const from = exerciseDevice(history);
  return history.slice(0, 29).map((day) => {
    if (from === undefined || day.values.exercise !== undefined || !measuredByTodays(history, day)) return day;
    return { values: { ...day.values, exercise: 0 }, from: { ...day.from, exercise: from } };
  });
}

export function naiveStrain(reported: PlainHistory): NaiveOutcome {
  if (loads.every(({ metric }) => on(reported, 0, metric) === undefined))
    return { status: 'missing', reason: 'no_data' };
  if (!worn(reported, 0)) return { status: 'missing', reason: 'not_worn' };
  const history = withRest(reported);
  const factors: NaiveFactor[] = [];
  const waiting: Waiting[] = [];
  for (const { name, metric, weight, floor } of loads) {
    const value = on(history, 0, metric);
    if (value === undefined) continue;
    const usual = usualOf(new Map([...sameDevice(history, metric)].filter(([back]) => worn(reported, back))));
    if (isWaiting(usual)) {
      waiting.push(usual);
      continue;
    }
    const r = value / Math.max(floor, usual.mean);
    factors.push({ name, weight, points: (100 * r ** 2) / (1 + r ** 2), n: usual.n, usual: usual.mean });
  }
  return factors.length === 0 ? { status: 'calibrating', ...nearest(waiting) } : naiveScore('strain_score', factors);
}
