// A naive version of nutrition, written straight from the description: a day's log compared with
// published advice for adults.
import { average, on, type PlainHistory } from './naive-baseline.ts';
import { alongLines, lowestOf, type NaiveFactor, type NaiveOutcome, naiveScore } from './naive-score.ts';
import type { NaiveProfile } from './naive-scores.ts';

/** Less energy than any person spends means that the device was not worn. */
function spent(history: PlainHistory, back: number): number | undefined {
  const [active, resting] = [on(history, back, 'active_calories'), on(history, back, 'resting_energy')];
  const parts = active === undefined || resting === undefined ? undefined : active + resting;
  const total = on(history, back, 'total_calories') ?? parts;
  return total === undefined || total < 800 ? undefined : total;
}

function isLogComplete(history: PlainHistory, back: number): boolean {
  const eaten = on(history, back, 'dietary_energy') ?? 0;
  const used = spent(history, back);
  return eaten >= 800 && (used === undefined || eaten >= used / 2);
}

const newest = (history: PlainHistory, metric: 'weight' | 'height'): number | undefined =>
  history.slice(0, 29).find(({ values }) => values[metric] !== undefined)?.values[metric];

function weightOf(history: PlainHistory, profile: NaiveProfile): number | undefined {
  const weight = newest(history, 'weight') ?? profile.weightKg ?? undefined;
  const height = newest(history, 'height') ?? profile.heightCm ?? undefined;
  return weight === undefined || height === undefined || height < 100
    ? weight
    : Math.min(weight, 25 * (height / 100) ** 2);
}

export function naiveNutrition(history: PlainHistory, profile: NaiveProfile): NaiveOutcome {
  const eaten = on(history, 0, 'dietary_energy');
  if (eaten === undefined || eaten === 0) return { status: 'missing', reason: 'no_data' };
  if (!isLogComplete(history, 0)) return { status: 'missing', reason: 'log_incomplete' };
  const factors: NaiveFactor[] = [];

  const lastSeven = Array.from({ length: 29 }, (_none, back) => back)
    .filter((back) => isLogComplete(history, back))
    .slice(0, 7);
  const both = lastSeven.filter((back) => spent(history, back) !== undefined);
  if (both.length >= 4) {
    const meanEaten = average(both.map((back) => on(history, back, 'dietary_energy') ?? Number.NaN));
    const meanSpent = average(both.map((back) => spent(history, back) ?? Number.NaN));
    const off = Math.abs(Math.log(meanEaten / meanSpent));
    factors.push({
      name: 'energy_balance',
      weight: 10,
      points: alongLines(off, [0.15, 100], [0.3, 60], [0.6, 0]),
      usual: meanSpent,
    });
  }

  const protein = on(history, 0, 'protein');
  const weight = weightOf(history, profile);
  const old = profile.age !== null && profile.age >= 65;
  if (protein !== undefined && weight !== undefined)
    factors.push({
      name: 'protein',
      weight: 20,
      points: old
        ? alongLines(protein / weight, [0.3, 0], [0.8, 50], [1, 85], [1.2, 100])
        : alongLines(protein / weight, [0.3, 0], [0.66, 50], [0.83, 85], [1.2, 100]),
    });

  const fiber = on(history, 0, 'fiber');
  const enough = Math.max(25, Math.min(38, (14 * eaten) / 1000));
  if (fiber !== undefined)
    factors.push({ name: 'fiber', weight: 25, points: alongLines(fiber, [0, 0], [enough, 90], [1.2 * enough, 100]) });

  if (factors.every(({ name }) => name !== 'protein' && name !== 'fiber'))
    return { status: 'missing', reason: 'too_few_nutrients' };

  const saturated = on(history, 0, 'saturated_fat');
  if (saturated !== undefined)
    factors.push({
      name: 'saturated_fat',
      weight: 20,
      points: alongLines((100 * 9 * saturated) / eaten, [7, 100], [10, 85], [15, 30], [20, 0]),
    });
  const sugar = on(history, 0, 'sugar');
  if (sugar !== undefined)
    factors.push({
      name: 'sugar',
      weight: 10,
      points: alongLines((100 * 4 * sugar) / eaten, [10, 100], [18, 85], [30, 30], [40, 0]),
    });
  const sodium = on(history, 0, 'sodium');
  if (sodium !== undefined)
    factors.push({
      name: 'sodium',
      weight: 15,
      points: alongLines(sodium, [1500, 100], [2000, 85], [3500, 30], [5000, 0]),
    });

  const score = naiveScore('nutrition_score', factors);
  return profile.age === null ? { ...score, confidence: lowestOf(score.confidence, 'medium') } : score;
}
