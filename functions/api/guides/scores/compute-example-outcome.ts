// Computes an example's outcome: builds the days it represents and passes them to the scorer
// itself.

import type { MetricId } from '../../../../shared/catalog/metrics.ts';
import type { ScoreId } from '../../../../shared/catalog/score-ids.ts';
import { noData } from '../../../../shared/catalog/score-states.ts';
import { scoreRow } from '../../../../shared/catalog/score-table.ts';
import { checkScoreAge } from '../../../../shared/scores/age-limits.ts';
import { energyReserveScore, fatigueDays } from '../../../../shared/scores/energy-reserve-score.ts';
import { heartRateVariability, respiratoryRate, restingHeartRate } from '../../../../shared/scores/heart-deviations.ts';
import { nutritionScore } from '../../../../shared/scores/nutrition-score.ts';
import { recoveryScore } from '../../../../shared/scores/recovery-score.ts';
import type { History, ScoreOutcome, ScoringProfile } from '../../../../shared/scores/scoring.ts';
import { buildDurationAnchors, findSleepNeed, sleepScore } from '../../../../shared/scores/sleep-score.ts';
import { strainScore } from '../../../../shared/scores/strain-score.ts';
import { stressScore } from '../../../../shared/scores/stress-score.ts';
import { type ExampleValues, usualNight } from './score-examples.ts';

export function computeExampleOutcome(id: ScoreId, values: ExampleValues): ScoreOutcome {
  const readInput = (name: string): number | null => values[name] ?? null;
  return checkScoreAge(id, readInput('age')) ?? outcomeByScore[id](readInput);
}

type InputReader = (name: string) => number | null;
type Day = Partial<Record<MetricId, number | null>>;

/** Every value comes from one device, whose ordinal is 0. */
const createHistory = (dayAt: (daysAgo: number) => Day, hasMainSleep = false): History => {
  const value = (metric: MetricId, daysAgo: number) => dayAt(daysAgo)[metric] ?? null;
  return { value, source: (metric, daysAgo) => (value(metric, daysAgo) === null ? null : 0), hasMainSleep };
};

/** Examples have no hours, so a sleep of at least one hour counts as a night. */
const minExampleNightMinutes = 60;

const toScoredUser = (readInput: InputReader): ScoringProfile => ({
  ageYears: readInput('age'),
  weightKg: readInput('weight'),
  heightCm: readInput('height'),
});

const outcomeByScore: Readonly<Record<ScoreId, (readInput: InputReader) => ScoreOutcome>> = {
  sleep_score: (readInput) => {
    const day: Day = {
      asleep: sumOrZero(readInput('main'), readInput('naps')),
      longest_sleep: readInput('main'),
      sleep_efficiency: readInput('efficiency'),
      sleep_latency: readInput('latency'),
      restorative_sleep: readInput('restorative'),
    };
    return sleepScore(
      createHistory((daysAgo) => (daysAgo === 0 ? day : {}), (readInput('main') ?? 0) >= minExampleNightMinutes),
      toScoredUser(readInput),
    );
  },
  recovery_score: (readInput) => recoveryScore(buildNights(readInput), toScoredUser(readInput)),
  stress_score: (readInput) => stressScore(buildNights(readInput)),
  strain_score: (readInput) => {
    const ifReported = (name: string, usualValue: number | null) => (readInput(name) === null ? null : usualValue);
    const usual: Day = {
      active_calories: ifReported('energy', readInput('energy_usual')),
      exercise: ifReported('exercise', readInput('exercise_usual')),
      steps: ifReported('steps', readInput('steps_usual')),
    };
    const today: Day = {
      active_calories: readInput('energy'),
      exercise: readInput('exercise'),
      steps: readInput('steps'),
    };
    return strainScore(
      createHistory((daysAgo) => (daysAgo === 0 ? today : daysAgo <= (readInput('days') ?? 0) ? usual : {})),
    );
  },
  nutrition_score: (readInput) => {
    const log: Day = { dietary_energy: readInput('eaten'), total_calories: readInput('spent') };
    const nutrients: readonly MetricId[] = ['protein', 'fiber', 'saturated_fat', 'sugar', 'sodium'];
    const today: Day = { ...log, ...Object.fromEntries(nutrients.map((name) => [name, readInput(name)])) };
    const history = createHistory((daysAgo) => (daysAgo === 0 ? today : daysAgo < (readInput('days') ?? 1) ? log : {}));
    return nutritionScore(history, toScoredUser(readInput));
  },
  energy_reserve_score: (readInput) =>
    energyReserveScore(toConfidentOutcome('recovery_score', readInput('recovery')), (daysAgo) =>
      toConfidentOutcome('strain_score', daysAgo > fatigueDays ? null : readInput(strainInputs[daysAgo] ?? 'earlier')),
    ),
};
const strainInputs = ['strain', 'yesterday'];

const sumOrZero = (...parts: readonly (number | null)[]): number =>
  parts.reduce<number>((all, part) => all + (part ?? 0), 0);

/** An outcome with high confidence, or none when there is no value. */
const toConfidentOutcome = (id: ScoreId, value: number | null): ScoreOutcome =>
  value === null ? noData : { value, factors: [], confidence: 'high', version: scoreRow(id).version };

function buildNights(readInput: InputReader): History {
  const today: Day = {
    sleep_heart_rate_variability: readInput('variability'),
    resting_heart_rate: readInput('rate'),
    sleep_respiratory_rate: readInput('breathing'),
    asleep: minutesAsleepFor(readInput('sleep')),
  };
  const count = readInput('nights') ?? 0;
  const spread = (readInput('spread') ?? 0) / 100;
  const previousNight = (daysAgo: number): Day => {
    const swing = swingAt(daysAgo, count) * spread;
    return {
      sleep_heart_rate_variability: usualNight.variability * Math.exp(swing * heartRateVariability.spread.prior),
      resting_heart_rate: usualNight.rate + swing * restingHeartRate.spread.prior,
      sleep_respiratory_rate: usualNight.breathing + swing * respiratoryRate.spread.prior,
    };
  };
  return createHistory((daysAgo) => (daysAgo === 0 ? today : daysAgo <= count ? previousNight(daysAgo) : {}));
}

/**
 * Alternates up and down, so that the nights' mean is the usual value and their standard deviation
 * is 1.
 */
function swingAt(daysAgo: number, count: number): number {
  const isOdd = count % 2 === 1;
  if (isOdd && daysAgo === count) return 0;
  return (daysAgo % 2 === 0 ? 1 : -1) * (isOdd ? 1 : Math.sqrt((count - 1) / count));
}

/** The minutes asleep at which a night with no other data gets this score. */
function minutesAsleepFor(score: number | null): number | null {
  if (score === null) return null;
  const anchors = buildDurationAnchors(findSleepNeed(null));
  const anchorIndex = anchors.findIndex(([, points]) => points >= score);
  const [[toHours, toPoints] = [0, 0], [fromHours, fromPoints] = [0, 0]] = [
    anchors[anchorIndex],
    anchors[anchorIndex - 1],
  ];
  const hours =
    anchorIndex < 1 ? toHours : fromHours + ((toHours - fromHours) * (score - fromPoints)) / (toPoints - fromPoints);
  return Math.round(hours * 60 * 1000) / 1000;
}
