// Nutrition: food intake compared with published advice for healthy adults. EFSA 2010 and 2012, WHO
// 2012, 2015 and 2023, PROT-AGE 2013.

import type { MetricId } from '../catalog/metrics.ts';
import { noData } from '../catalog/score-states.ts';
import { meanOf } from '../platform/arithmetic.ts';
import { minOlderAdultAge } from './age-limits.ts';
import { baselineDays } from './baseline.ts';
import { lowestConfidence } from './confidence.ts';
import { type Anchors, interpolate } from './curves.ts';
import {
  computeWeightedScore,
  type Evidence,
  type History,
  type ScoreOutcome,
  type ScoringProfile,
} from './scoring.ts';

/** A log with less energy than this, or less than half of the energy spent, is incomplete. */
export const minLogged = { share: 0.5, kcal: 800 } as const;
/** In centimetres; a smaller value was measured in another unit. */
const minAdultHeightCm = 100;
/** Energy balance is judged over several days. */
export const balanceWindow = { days: 7, minDays: 4 } as const;

export function nutritionScore(history: History, profile: ScoringProfile): ScoreOutcome {
  const eaten = history.value('dietary_energy', 0);
  if (eaten === null || eaten <= 0) return noData;
  if (!isLogged(history, 0)) return { status: 'missing', reason: 'log_incomplete' };
  const judgeNutrient = (input: Nutrient, points: (amount: number) => number | null): Evidence | null => {
    const value = history.value(input, 0);
    const own = value === null ? null : points(value);
    return value === null || own === null ? null : { points: own, input, value, source: history.source(input, 0) };
  };
  const weight = referenceWeight(history, profile);
  const isOlder = profile.ageYears !== null && profile.ageYears >= minOlderAdultAge;
  const protein = judgeNutrient('protein', (grams) =>
    weight === null ? null : interpolate(isOlder ? olderProteinAnchors : proteinAnchors, grams / weight),
  );
  const fiber = judgeNutrient('fiber', (grams) => interpolate(fiberAnchors, grams / fiberTarget(eaten)));
  if (protein === null && fiber === null) return { status: 'missing', reason: 'too_few_nutrients' };
  const score = computeWeightedScore('nutrition_score', {
    energy_balance: computeBalance(history),
    protein,
    fiber,
    saturated_fat: judgeNutrient('saturated_fat', (grams) => interpolate(saturatedFatAnchors, (900 * grams) / eaten)),
    sugar: judgeNutrient('sugar', (grams) => interpolate(sugarAnchors, (400 * grams) / eaten)),
    sodium: judgeNutrient('sodium', (milligrams) => interpolate(sodiumAnchors, milligrams)),
  });
  if (score === null) return noData;
  return profile.ageYears === null ? { ...score, confidence: lowestConfidence(score.confidence, 'medium') } : score;
}

type Nutrient = Extract<MetricId, 'protein' | 'fiber' | 'saturated_fat' | 'sugar' | 'sodium'>;

/**
 * The distance from balance in either direction, as a natural logarithm: 0.15 is about 15 percent.
 */
export const balanceAnchors: Anchors = [
  [0.15, 100],
  [0.3, 60],
  [0.6, 0],
];

/**
 * Grams per kilogram of body weight: 0.66 is the average requirement, 0.83 the reference intake.
 */
export const proteinAnchors: Anchors = [
  [0.3, 0],
  [0.66, 50],
  [0.83, 85],
  [1.2, 100],
];
export const olderProteinAnchors: Anchors = [
  [0.3, 0],
  [0.8, 50],
  [1, 85],
  [1.2, 100],
];

/** As a fraction of the target. */
export const fiberAnchors: Anchors = [
  [0, 0],
  [1, 90],
  [1.2, 100],
];
/** Grams: 25 is the adequate intake. The need grows with the energy eaten, up to a maximum. */
export const fiberNeed = { min: 25, perThousandKcal: 14, max: 38 } as const;
const fiberTarget = (kcal: number): number =>
  Math.min(fiberNeed.max, Math.max(fiberNeed.min, (fiberNeed.perThousandKcal * kcal) / 1000));

/** Percent of energy, at 9 kcal per gram; the limit is 10. */
export const saturatedFatAnchors: Anchors = [
  [7, 100],
  [10, 85],
  [15, 30],
  [20, 0],
];

/**
 * Percent of energy from all sugars, at 4 kcal per gram: the 90 g in 2000 kcal used on labels is
 * 18.
 */
export const sugarAnchors: Anchors = [
  [10, 100],
  [18, 85],
  [30, 30],
  [40, 0],
];

/** Milligrams; the limit is 2000. */
export const sodiumAnchors: Anchors = [
  [1_500, 100],
  [2_000, 85],
  [3_500, 30],
  [5_000, 0],
];

function isLogged(history: History, back: number): boolean {
  const eaten = history.value('dietary_energy', back);
  if (eaten === null || eaten <= 0) return false;
  // By noon little energy is spent, and a breakfast could be half of it. An absolute minimum
  // prevents that from counting as a full day.
  return eaten >= Math.max(minLogged.kcal, minLogged.share * (energySpent(history, back) ?? 0));
}

function energySpent(history: History, back: number): number | null {
  const total = history.value('total_calories', back);
  const active = history.value('active_calories', back);
  const resting = history.value('resting_energy', back);
  return total ?? (active === null || resting === null ? null : active + resting);
}

/** Compares the energy eaten with the energy spent over the last logged days. */
function computeBalance(history: History): Evidence | null {
  const days: { eaten: number; spent: number }[] = [];
  for (let back = 0, logged = 0; back <= baselineDays && logged < balanceWindow.days; back++) {
    if (!isLogged(history, back)) continue;
    logged++;
    const eaten = history.value('dietary_energy', back);
    const kcal = energySpent(history, back);
    if (eaten !== null && kcal !== null && kcal >= minLogged.kcal) days.push({ eaten, spent: kcal });
  }
  if (days.length < balanceWindow.minDays) return null;
  const eaten = meanOf(days.map((day) => day.eaten));
  const usual = meanOf(days.map((day) => day.spent));
  const distance = Math.abs(Math.log(eaten / usual));
  return { points: interpolate(balanceAnchors, distance), input: 'dietary_energy', value: eaten, usual, source: null };
}

export const maxReferenceBodyMassIndex = 25;

/**
 * Uses the newest weight of the last four weeks, otherwise the profile's, capped at a body mass
 * index of 25.
 */
function referenceWeight(history: History, { weightKg, heightCm }: ScoringProfile): number | null {
  const weight = findNewest(history, 'weight') ?? weightKg;
  const height = findNewest(history, 'height') ?? heightCm;
  if (weight === null || height === null || height < minAdultHeightCm) return weight;
  return Math.min(weight, maxReferenceBodyMassIndex * (height / 100) ** 2);
}

function findNewest(history: History, metric: MetricId): number | null {
  for (let back = 0; back <= baselineDays; back++) {
    const measured = history.value(metric, back);
    if (measured !== null) return measured;
  }
  return null;
}
