// Nutrition: what was eaten against published targets. FAO/WHO/UNU 2004, EFSA 2010 and 2012, WHO 2012 and 2023, EU 1169/2011.
import type { Score } from '../../model/scores.ts';
import { baselineDays } from './baseline.ts';
import { along, type History, type ScoredPerson, weighted } from './scoring.ts';

/** A day of which less is known was hardly logged. */
const leastFactors = 3;

/** Null when nothing was eaten or logged, or fewer than three factors can be judged. */
export function nutritionScore(history: History, person: ScoredPerson): Score | null {
  const eaten = history.value('dietary_energy', 0);
  if (eaten === null || eaten <= 0) return null;
  const today = (metric: Nutrient): number | null => history.value(metric, 0);
  const score = weighted('nutrition_score', {
    energy_balance: points(spent(history), (kcal) => along(balanceAnchors, Math.abs(Math.log(eaten / kcal)))),
    protein: points(today('protein'), (grams) => {
      const weight = weightOf(history, person);
      return weight === null ? null : along(proteinAnchors, grams / weight);
    }),
    fiber: points(today('fiber'), (grams) => along(fiberAnchors, grams)),
    saturated_fat: points(today('saturated_fat'), (grams) => along(saturatedFatAnchors, (900 * grams) / eaten)),
    sugar: points(today('sugar'), (grams) => along(sugarAnchors, (400 * grams) / eaten)),
    sodium: points(today('sodium'), (milligrams) => along(sodiumAnchors, milligrams)),
  });
  return score !== null && score.factors.length >= leastFactors ? score : null;
}

type Nutrient = 'protein' | 'fiber' | 'saturated_fat' | 'sugar' | 'sodium';

const points = (value: number | null, judge: (value: number) => number | null): number | null =>
  value === null ? null : judge(value);

/** The distance from balance, up or down, as a natural logarithm: 0.1 is about ten percent. */
const balanceAnchors = [
  [0.05, 100],
  [0.1, 90],
  [0.25, 50],
  [0.6, 0],
] as const;

/** Grams per kilogram of body weight: 0.66 is the average requirement, 0.83 the reference intake. */
const proteinAnchors = [
  [0.3, 0],
  [0.66, 50],
  [0.83, 85],
  [1.2, 100],
] as const;

/** Grams: 25 is the adequate intake. */
const fiberAnchors = [
  [0, 0],
  [25, 90],
  [30, 100],
] as const;

/** Percent of energy, at 9 kcal a gram: at most 10. */
const saturatedFatAnchors = [
  [7, 100],
  [10, 85],
  [15, 30],
  [20, 0],
] as const;

/** Percent of energy from all sugars, at 4 kcal a gram: the reference intake of 90 g in 2000 kcal is 18. */
const sugarAnchors = [
  [10, 100],
  [18, 85],
  [30, 30],
  [40, 0],
] as const;

/** Milligrams: at most 2000. */
const sodiumAnchors = [
  [1_500, 100],
  [2_000, 85],
  [3_500, 30],
  [5_000, 0],
] as const;

function spent(history: History): number | null {
  const total = history.value('total_calories', 0);
  const active = history.value('active_calories', 0);
  const resting = history.value('resting_energy', 0);
  const kcal = total ?? (active === null || resting === null ? null : active + resting);
  return kcal === null || kcal <= 0 ? null : kcal;
}

/** The newest weight of the last four weeks, else the profile's. */
function weightOf(history: History, { weightKg }: ScoredPerson): number | null {
  for (let back = 0; back <= baselineDays; back++) {
    const measured = history.value('weight', back);
    if (measured !== null) return measured;
  }
  return weightKg;
}
