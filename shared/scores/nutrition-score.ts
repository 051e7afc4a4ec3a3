// Nutrition: what was eaten against published advice for healthy adults. EFSA 2010 and 2012, WHO 2012, 2015 and 2023, PROT-AGE 2013.

import type { MetricId } from '../catalog/metrics.ts';
import { noData } from '../catalog/score-states.ts';
import { meanOf } from '../platform/arithmetic.ts';
import { olderFrom } from './ages.ts';
import { baselineDays } from './baseline.ts';
import { atMost } from './confidence.ts';
import { type Anchors, along } from './curves.ts';
import { type Evidence, type History, type Outcome, type ScoredPerson, weighted } from './scoring.ts';

/** A log of less than this, or of less than half of what was spent, is not a day's. */
export const leastLogged = { share: 0.5, kcal: 800 } as const;
/** In centimetres: less was measured in something else. */
const leastAdultHeight = 100;
/** Balance is a matter of days, not of one. */
export const balanceOver = { days: 7, least: 4 } as const;

export function nutritionScore(history: History, person: ScoredPerson): Outcome {
  const eaten = history.value('dietary_energy', 0);
  if (eaten === null || eaten <= 0) return noData;
  if (!isLogged(history, 0)) return { status: 'missing', reason: 'log_incomplete' };
  const today = (input: Nutrient, points: (amount: number) => number | null): Evidence | null => {
    const value = history.value(input, 0);
    const own = value === null ? null : points(value);
    return value === null || own === null ? null : { points: own, input, value, source: history.source(input, 0) };
  };
  const weight = referenceWeight(history, person);
  const isOlder = person.ageYears !== null && person.ageYears >= olderFrom;
  const protein = today('protein', (grams) =>
    weight === null ? null : along(isOlder ? olderProteinAnchors : proteinAnchors, grams / weight),
  );
  const fiber = today('fiber', (grams) => along(fiberAnchors, grams / fiberTarget(eaten)));
  if (protein === null && fiber === null) return { status: 'missing', reason: 'too_few_nutrients' };
  const score = weighted('nutrition_score', {
    energy_balance: balanceOf(history),
    protein,
    fiber,
    saturated_fat: today('saturated_fat', (grams) => along(saturatedFatAnchors, (900 * grams) / eaten)),
    sugar: today('sugar', (grams) => along(sugarAnchors, (400 * grams) / eaten)),
    sodium: today('sodium', (milligrams) => along(sodiumAnchors, milligrams)),
  });
  if (score === null) return noData;
  return person.ageYears === null ? { ...score, confidence: atMost(score.confidence, 'medium') } : score;
}

type Nutrient = Extract<MetricId, 'protein' | 'fiber' | 'saturated_fat' | 'sugar' | 'sodium'>;

/** The distance from balance, up or down, as a natural logarithm: 0.15 is about fifteen percent. */
export const balanceAnchors: Anchors = [
  [0.15, 100],
  [0.3, 60],
  [0.6, 0],
];

/** Grams per kilogram of body weight: 0.66 is the average requirement, 0.83 the reference intake. */
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

/** As a share of the target. */
export const fiberAnchors: Anchors = [
  [0, 0],
  [1, 90],
  [1.2, 100],
];
/** Grams: 25 is the adequate intake; whoever eats more needs more, up to a point. */
export const fiberNeed = { least: 25, perThousandKcal: 14, most: 38 } as const;
const fiberTarget = (kcal: number): number =>
  Math.min(fiberNeed.most, Math.max(fiberNeed.least, (fiberNeed.perThousandKcal * kcal) / 1000));

/** Percent of energy, at 9 kcal a gram: at most 10. */
export const saturatedFatAnchors: Anchors = [
  [7, 100],
  [10, 85],
  [15, 30],
  [20, 0],
];

/** Percent of energy from all sugars, at 4 kcal a gram: the 90 g in 2000 kcal of labels is 18. */
export const sugarAnchors: Anchors = [
  [10, 100],
  [18, 85],
  [30, 30],
  [40, 0],
];

/** Milligrams: at most 2000. */
export const sodiumAnchors: Anchors = [
  [1_500, 100],
  [2_000, 85],
  [3_500, 30],
  [5_000, 0],
];

function isLogged(history: History, back: number): boolean {
  const eaten = history.value('dietary_energy', back);
  if (eaten === null || eaten <= 0) return false;
  // By noon little is spent, and a breakfast would be half of that: so it is never less than what a day takes at the least.
  return eaten >= Math.max(leastLogged.kcal, leastLogged.share * (spent(history, back) ?? 0));
}

function spent(history: History, back: number): number | null {
  const total = history.value('total_calories', back);
  const active = history.value('active_calories', back);
  const resting = history.value('resting_energy', back);
  return total ?? (active === null || resting === null ? null : active + resting);
}

/** What was eaten over what was spent, in the last logged days. */
function balanceOf(history: History): Evidence | null {
  const days: { eaten: number; spent: number }[] = [];
  for (let back = 0, logged = 0; back <= baselineDays && logged < balanceOver.days; back++) {
    if (!isLogged(history, back)) continue;
    logged++;
    const eaten = history.value('dietary_energy', back);
    const kcal = spent(history, back);
    if (eaten !== null && kcal !== null && kcal >= leastLogged.kcal) days.push({ eaten, spent: kcal });
  }
  if (days.length < balanceOver.least) return null;
  const eaten = meanOf(days.map((day) => day.eaten));
  const usual = meanOf(days.map((day) => day.spent));
  const distance = Math.abs(Math.log(eaten / usual));
  return { points: along(balanceAnchors, distance), input: 'dietary_energy', value: eaten, usual, source: null };
}

export const mostReferenceBodyMassIndex = 25;

/** The newest measured of the last four weeks, else the profile's; no more than a body mass index of 25 would have. */
function referenceWeight(history: History, { weightKg, heightCm }: ScoredPerson): number | null {
  const weight = newest(history, 'weight') ?? weightKg;
  const height = newest(history, 'height') ?? heightCm;
  if (weight === null || height === null || height < leastAdultHeight) return weight;
  return Math.min(weight, mostReferenceBodyMassIndex * (height / 100) ** 2);
}

function newest(history: History, metric: MetricId): number | null {
  for (let back = 0; back <= baselineDays; back++) {
    const measured = history.value(metric, back);
    if (measured !== null) return measured;
  }
  return null;
}
