// A naive version of how points become a score: weights, rounding, directions and confidence,
// straight from the description.
import type { ScoreId } from '../../../shared/catalog/score-ids.ts';

export interface NaiveFactor {
  name: string;
  /** 0 to 100. */
  points: number;
  /** As the page states it, out of 100. */
  weight: number;
  /** The weight with that of a particular missing factor added; otherwise the stated weight. */
  weighing?: number;
  /** The number of days of its baseline, if it has one. */
  n?: number;
  z?: number;
  usual?: number;
}

export interface NaiveScore {
  value: number;
  confidence: 'low' | 'medium' | 'high';
  factors: (NaiveFactor & { contribution: number; direction: string; share: number })[];
}
export type NaiveReason = { status: string; reason?: string; days?: number; needed?: number };
export type NaiveOutcome = NaiveScore | NaiveReason;
export const hasValue = (outcome: NaiveOutcome): outcome is NaiveScore => 'value' in outcome;

/** Linear between the anchors, constant beyond them. */
export function alongLines(x: number, ...anchors: readonly (readonly [x: number, points: number])[]): number {
  const [first, last] = [anchors[0] ?? [0, 0], anchors[anchors.length - 1] ?? [0, 0]];
  if (x <= first[0]) return first[1];
  if (x >= last[0]) return last[1];
  const after = anchors.findIndex(([at]) => at >= x);
  const [[x0, y0], [x1, y1]] = [anchors[after - 1] ?? first, anchors[after] ?? last];
  return y0 + ((y1 - y0) * (x - x0)) / (x1 - x0);
}

function directionOf(id: ScoreId, points: number): string {
  switch (id) {
    case 'stress_score':
      return points >= 30 ? 'positive' : points <= 7 ? 'negative' : 'neutral';
    case 'strain_score':
    case 'energy_reserve_score':
      return points >= 60 ? 'positive' : points < 40 ? 'negative' : 'neutral';
    default:
      return points >= 84.5 ? 'positive' : points < 50 ? 'negative' : 'neutral';
  }
}

/** Whole parts first; the rest of the value goes one by one to the largest remainders. */
function contributions(parts: readonly number[], value: number): number[] {
  const rounded = parts.map(Math.floor);
  const left = value - rounded.reduce((sum, each) => sum + each, 0);
  const byRemainder = parts
    .map((part, at) => ({ at, remainder: part - Math.floor(part) }))
    .sort((a, b) => b.remainder - a.remainder || a.at - b.at);
  for (const { at } of byRemainder.slice(0, left)) rounded[at] = (rounded[at] ?? 0) + 1;
  return rounded;
}

/** A level counts only the factors whose baseline has the number of days for that level. */
export function confidenceOf(factors: readonly NaiveFactor[]): NaiveScore['confidence'] {
  const weightWith = (days: number) =>
    factors.filter(({ n }) => n === undefined || n >= days).reduce((sum, { weight }) => sum + weight, 0);
  return weightWith(14) >= 80 ? 'high' : weightWith(7) >= 60 ? 'medium' : 'low';
}

const levels = ['low', 'medium', 'high'] as const;
export const lowestOf = (...candidates: NaiveScore['confidence'][]): NaiveScore['confidence'] =>
  levels.find((level) => candidates.includes(level)) ?? 'high';

export function naiveScore(id: ScoreId, factors: readonly NaiveFactor[]): NaiveScore {
  const weights = factors.map(({ weight, weighing }) => weighing ?? weight);
  const all = weights.reduce((sum, each) => sum + each, 0);
  const parts = factors.map(({ points }, at) => (points * (weights[at] ?? 0)) / all);
  const value = Math.round(parts.reduce((sum, each) => sum + each, 0));
  const rounded = contributions(parts, value);
  return {
    value,
    confidence: confidenceOf(factors),
    factors: factors.map((factor, at) => ({
      ...factor,
      share: (100 * (weights[at] ?? 0)) / all,
      contribution: rounded[at] ?? 0,
      direction: directionOf(id, factor.points),
    })),
  };
}
