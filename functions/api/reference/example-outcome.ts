// What the formulas make of an example: the days it stands for, given to the scorer itself.

import type { MetricId } from '../../../shared/catalog/metrics.ts';
import type { ScoreId } from '../../../shared/catalog/score-ids.ts';
import { noData } from '../../../shared/catalog/score-states.ts';
import { scoreRow } from '../../../shared/catalog/score-table.ts';
import { notApplicableAt } from '../../../shared/scores/ages.ts';
import { energyReserveScore, fatigueDays } from '../../../shared/scores/energy-reserve-score.ts';
import { respiratoryRate, restingHeartRate, variability } from '../../../shared/scores/heart.ts';
import { nutritionScore } from '../../../shared/scores/nutrition-score.ts';
import { recoveryScore } from '../../../shared/scores/recovery-score.ts';
import type { History, Outcome, ScoredPerson } from '../../../shared/scores/scoring.ts';
import { durationAnchors, needAt, sleepScore } from '../../../shared/scores/sleep-score.ts';
import { strainScore } from '../../../shared/scores/strain-score.ts';
import { stressScore } from '../../../shared/scores/stress-score.ts';
import { type ExampleValues, usualNight } from './score-examples.ts';

export function exampleOutcome(id: ScoreId, values: ExampleValues): Outcome {
  const given = (name: string): number | null => values[name] ?? null;
  return notApplicableAt(id, given('age')) ?? scored[id](given);
}

type Given = (name: string) => number | null;
type Day = Partial<Record<MetricId, number | null>>;

/** All from one device, whose ordinal is 0. */
const historyOf = (dayAt: (back: number) => Day): History => {
  const value = (metric: MetricId, back: number) => dayAt(back)[metric] ?? null;
  return { value, source: (metric, back) => (value(metric, back) === null ? null : 0) };
};

const person = (given: Given): ScoredPerson => ({
  ageYears: given('age'),
  weightKg: given('weight'),
  heightCm: given('height'),
});

const scored: Readonly<Record<ScoreId, (given: Given) => Outcome>> = {
  sleep_score: (given) => {
    const day: Day = {
      asleep: sum(given('main'), given('naps')),
      longest_sleep: given('main'),
      sleep_efficiency: given('efficiency'),
      sleep_latency: given('latency'),
      restorative_sleep: given('restorative'),
    };
    return sleepScore(
      historyOf((back) => (back === 0 ? day : {})),
      person(given),
    );
  },
  recovery_score: (given) => recoveryScore(nights(given), person(given)),
  stress_score: (given) => stressScore(nights(given)),
  strain_score: (given) => {
    const told = (name: string, then: number | null) => (given(name) === null ? null : then);
    const usual: Day = {
      active_calories: told('energy', given('energy_usual')),
      exercise: told('exercise', given('exercise_usual')),
      steps: told('steps', given('steps_usual')),
    };
    const today: Day = { active_calories: given('energy'), exercise: given('exercise'), steps: given('steps') };
    return strainScore(historyOf((back) => (back === 0 ? today : back <= (given('days') ?? 0) ? usual : {})));
  },
  nutrition_score: (given) => {
    const log: Day = { dietary_energy: given('eaten'), total_calories: given('spent') };
    const nutrients: readonly MetricId[] = ['protein', 'fiber', 'saturated_fat', 'sugar', 'sodium'];
    const today: Day = { ...log, ...Object.fromEntries(nutrients.map((name) => [name, given(name)])) };
    const history = historyOf((back) => (back === 0 ? today : back < (given('days') ?? 1) ? log : {}));
    return nutritionScore(history, person(given));
  },
  energy_reserve_score: (given) =>
    energyReserveScore(certain('recovery_score', given('recovery')), (back) =>
      certain('strain_score', back > fatigueDays ? null : given(strainAt[back] ?? 'earlier')),
    ),
};
const strainAt = ['strain', 'yesterday'];

const sum = (...parts: readonly (number | null)[]): number => parts.reduce<number>((all, part) => all + (part ?? 0), 0);

/** A score of high confidence, or none. */
const certain = (id: ScoreId, value: number | null): Outcome =>
  value === null ? noData : { value, factors: [], confidence: 'high', version: scoreRow(id).version };

function nights(given: Given): History {
  const today: Day = {
    sleep_heart_rate_variability: given('variability'),
    resting_heart_rate: given('rate'),
    sleep_respiratory_rate: given('breathing'),
    asleep: asleepFor(given('sleep')),
  };
  const count = given('nights') ?? 0;
  const spread = (given('spread') ?? 0) / 100;
  const before = (back: number): Day => {
    const swing = swingOn(back, count) * spread;
    return {
      sleep_heart_rate_variability: usualNight.variability * Math.exp(swing * variability.spread.prior),
      resting_heart_rate: usualNight.rate + swing * restingHeartRate.spread.prior,
      sleep_respiratory_rate: usualNight.breathing + swing * respiratoryRate.spread.prior,
    };
  };
  return historyOf((back) => (back === 0 ? today : back <= count ? before(back) : {}));
}

/** Up and down in turn, so that the nights' mean is the usual one and their standard deviation 1. */
function swingOn(back: number, count: number): number {
  const isOdd = count % 2 === 1;
  if (isOdd && back === count) return 0;
  return (back % 2 === 0 ? 1 : -1) * (isOdd ? 1 : Math.sqrt((count - 1) / count));
}

/** The minutes of a night of which nothing else is known, and which has this score. */
function asleepFor(score: number | null): number | null {
  if (score === null) return null;
  const anchors = durationAnchors(needAt(null));
  const after = anchors.findIndex(([, points]) => points >= score);
  const [[toHours, toPoints] = [0, 0], [fromHours, fromPoints] = [0, 0]] = [anchors[after], anchors[after - 1]];
  const hours =
    after < 1 ? toHours : fromHours + ((toHours - fromHours) * (score - fromPoints)) / (toPoints - fromPoints);
  return Math.round(hours * 60 * 1000) / 1000;
}
