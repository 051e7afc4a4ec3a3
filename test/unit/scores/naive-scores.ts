// A second implementation of all six scores, written from their description alone, without any of
// the product's arithmetic.
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import type { ScoreId } from '../../../shared/catalog/score-ids.ts';
import {
  type Deviation,
  deviation,
  isWaiting,
  nearest,
  on,
  type PlainHistory,
  sameDevice,
  type Usual,
  usualOf,
  type Waiting,
} from './naive-baseline.ts';
import { naiveNutrition } from './naive-nutrition.ts';
import {
  alongLines,
  hasValue,
  lowestOf,
  type NaiveFactor,
  type NaiveOutcome,
  type NaiveReason,
  naiveScore,
} from './naive-score.ts';
import { naiveStrain } from './naive-strain.ts';

export interface NaiveProfile {
  /** On the scored day. */
  age: number | null;
  weightKg: number | null;
  heightCm: number | null;
  /** Whether the scored day has a main sleep. */
  hasNight?: boolean;
}

const noData: NaiveReason = { status: 'missing', reason: 'no_data' };

/**
 * From each age on: the recommended hours, from and to; the least and the most that may be
 * appropriate.
 */
const needs = [
  [1, 11, 14, 9, 16],
  [3, 10, 13, 8, 14],
  [6, 9, 11, 7, 12],
  [14, 8, 10, 7, 11],
  [18, 7, 9, 6, 11],
  [26, 7, 9, 6, 10],
  [65, 7, 8, 5, 9],
] as const;

function naiveSleep(history: PlainHistory, { age, hasNight }: NaiveProfile): NaiveOutcome {
  const asleep = on(history, 0, 'asleep');
  if (asleep === undefined) return noData;
  if (asleep < 180 && !hasNight) return { status: 'missing', reason: 'no_main_sleep' };
  const [, from, to, min, max] = needs.findLast(([years]) => (age ?? 40) >= years) ?? needs[0];
  const old = age !== null && age >= 65;
  const hours = asleep / 60;
  const middle = (from + to) / 2;
  const factors: NaiveFactor[] = [
    {
      name: 'duration',
      weight: 50,
      points: alongLines(hours, [min - 3, 0], [min, 50], [from, 85], [middle, 100], [max, 100], [max + 2, 85]),
    },
  ];

  const inBed = on(history, 0, 'time_in_bed');
  const { asleep: sleeper, time_in_bed: bed } = history[0]?.from ?? {};
  const isOneDevice = sleeper === bed;
  const ofNaps = on(history, 0, 'longest_sleep') !== undefined;
  const efficiency =
    on(history, 0, 'sleep_efficiency') ??
    (inBed && isOneDevice && !ofNaps ? Math.min(100, (100 * asleep) / inBed) : undefined);
  if (efficiency !== undefined)
    factors.push({
      name: 'efficiency',
      weight: 25,
      points: alongLines(efficiency, [60, 0], [75, 50], [85, 85], [95, 100]),
    });

  const restorative = on(history, 0, 'restorative_sleep');
  const of = old ? 0.8 : 1;
  if (restorative !== undefined)
    factors.push({
      name: 'restorative',
      weight: 10,
      points: alongLines((100 * restorative) / (60 * from), [10 * of, 0], [25 * of, 50], [37 * of, 85], [45 * of, 100]),
    });

  const latency = on(history, 0, 'sleep_latency');
  const tail: [number, number][] = old
    ? [
        [60, 50],
        [75, 0],
      ]
    : [
        [45, 50],
        [60, 0],
      ];
  if (latency !== undefined)
    factors.push({ name: 'latency', weight: 15, points: alongLines(latency, [15, 100], [30, 85], ...tail) });

  const score = naiveScore('sleep_score', factors);
  const twoNights = asleep - (on(history, 0, 'longest_sleep') ?? asleep) >= 180;
  return twoNights ? { ...score, confidence: 'low' } : score;
}

interface Measured {
  metric: MetricId;
  value: number;
  deviation: Deviation;
}
interface Sensed {
  prior: number;
  floor: number;
  ln?: boolean;
}
const variability: Sensed = { prior: 0.18, floor: 0.1, ln: true };
const rate: Sensed = { prior: 2.5, floor: 2 };
const breathing: Sensed = { prior: 0.6, floor: 0.5 };

const variabilities: readonly MetricId[] = [
  'sleep_heart_rate_variability',
  'heart_rate_variability_rmssd',
  'heart_rate_variability',
];
const rates: readonly MetricId[] = ['resting_heart_rate', 'sleep_heart_rate'];
const breaths: readonly MetricId[] = ['sleep_respiratory_rate', 'respiratory_rate'];

function usualIn(history: PlainHistory, metric: MetricId, ln: boolean): Usual | Waiting {
  const before = [...sameDevice(history, metric)];
  return usualOf(new Map(before.map(([back, value]) => [back, ln ? Math.log(value) : value])));
}

/** The first of the metrics that has a value on the day and a baseline. */
function findMeasured(
  history: PlainHistory,
  metrics: readonly MetricId[],
  { prior, floor, ln = false }: Sensed,
): Measured | null {
  for (const metric of metrics) {
    const value = on(history, 0, metric);
    const usual = usualIn(history, metric, ln);
    if (value === undefined || isWaiting(usual)) continue;
    return { metric, value, deviation: deviation(ln ? Math.log(value) : value, usual, prior, floor) };
  }
  return null;
}

/** Of the metrics that the day has, the one whose baseline lacks the fewest days. */
function withoutBaseline(history: PlainHistory, metrics: readonly MetricId[]): NaiveReason {
  const there = metrics.filter((metric) => on(history, 0, metric) !== undefined);
  const waiting = nearest(there.map((metric) => usualIn(history, metric, false)).filter(isWaiting));
  return waiting ? { status: 'calibrating', ...waiting } : noData;
}

const logistic = (x: number): number => 100 / (1 + Math.exp(-1.7 * x));
const baselineFields = ({ deviation: { n, z, mean } }: Measured, ln = false) => ({
  n,
  z,
  usual: ln ? Math.exp(mean) : mean,
});

function naiveRecovery(history: PlainHistory, profile: NaiveProfile): NaiveOutcome {
  const hrv = findMeasured(history, variabilities, variability);
  const rhr = findMeasured(history, rates, rate);
  const breath = findMeasured(history, breaths, breathing);
  if (!hrv && !rhr) return withoutBaseline(history, [...variabilities, ...rates]);
  const factors: NaiveFactor[] = [];
  if (hrv)
    factors.push({
      ...baselineFields(hrv, true),
      name: 'heart_rate_variability',
      weight: 40,
      weighing: rhr ? 40 : 65,
      points: logistic(Math.min(hrv.deviation.z, 1) + 0.5),
    });
  if (rhr)
    factors.push({
      ...baselineFields(rhr),
      name: 'resting_heart_rate',
      weight: 25,
      weighing: hrv ? 25 : 65,
      points: logistic(-rhr.deviation.z + 0.5),
    });
  const sleep = naiveSleep(history, profile);
  if (hasValue(sleep)) factors.push({ name: 'sleep', weight: 25, points: sleep.value });
  if (breath)
    factors.push({
      ...baselineFields(breath),
      name: 'respiratory_rate',
      weight: 10,
      points: logistic(-Math.max(breath.deviation.z, 0) + 0.5),
    });
  const score = naiveScore('recovery_score', factors);
  const slept = on(history, 0, 'asleep');
  return slept !== undefined && slept < 180 ? { ...score, confidence: 'low' } : score;
}

function naiveStress(history: PlainHistory): NaiveOutcome {
  const hrv = findMeasured(history, variabilities, variability);
  const rhr = findMeasured(history, rates, rate);
  if (!hrv) return withoutBaseline(history, variabilities);
  const factors: NaiveFactor[] = [
    {
      ...baselineFields(hrv, true),
      name: 'heart_rate_variability',
      weight: 60,
      points: logistic(-hrv.deviation.z - 1),
    },
  ];
  if (rhr)
    factors.push({
      ...baselineFields(rhr),
      name: 'resting_heart_rate',
      weight: 40,
      points: logistic(rhr.deviation.z - 1),
    });
  return naiveScore('stress_score', factors);
}

/** Energy reserve calibrates with its parts; a device that was not worn stays the reason. */
function lackingStrain(strain: NaiveReason): NaiveReason {
  if (strain.status !== 'missing' || strain.reason === 'not_worn') return strain;
  return { status: 'missing', reason: 'no_strain' };
}

function naiveReserve(history: PlainHistory, profile: NaiveProfile): NaiveOutcome {
  const recovery = naiveRecovery(history, profile);
  const strain = naiveStrain(history);
  if (!hasValue(recovery)) return recovery;
  if (!hasValue(strain)) return lackingStrain(strain);
  const factors: NaiveFactor[] = [
    { name: 'recovery', weight: 60, points: recovery.value },
    { name: 'effort_today', weight: 25, points: 100 - strain.value },
  ];
  let [weighed, weights] = [0, 0];
  for (let back = 1; back <= 7; back++) {
    const before = naiveStrain(history.slice(back));
    if (!hasValue(before)) continue;
    weighed += before.value * Math.exp(-back / 7);
    weights += Math.exp(-back / 7);
  }
  if (weights > 0) factors.push({ name: 'effort_before', weight: 15, points: 100 - weighed / weights });
  const score = naiveScore('energy_reserve_score', factors);
  return { ...score, confidence: lowestOf(score.confidence, recovery.confidence, strain.confidence) };
}

export function naiveScores(history: PlainHistory, profile: NaiveProfile): Record<ScoreId, NaiveOutcome> {
  const { age } = profile;
  const adult = (outcome: () => NaiveOutcome): NaiveOutcome =>
    age !== null && age < 18 ? { status: 'not_applicable', reason: 'under_18' } : outcome();
  return {
    sleep_score:
      age !== null && age < 1 ? { status: 'not_applicable', reason: 'under_1' } : naiveSleep(history, profile),
    recovery_score: adult(() => naiveRecovery(history, profile)),
    strain_score: adult(() => naiveStrain(history)),
    nutrition_score: adult(() => naiveNutrition(history, profile)),
    stress_score: adult(() => naiveStress(history)),
    energy_reserve_score: adult(() => naiveReserve(history, profile)),
  };
}
