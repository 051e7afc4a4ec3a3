// Which way a factor moves its score. At most published limits a value has 85 points, and what is clearly past them is not called positive.

import type { ScoreId } from '../catalog/score-ids.ts';
import type { ScoreFactor } from '../measurements/score.ts';

interface Bounds {
  minPositive: number;
  maxNegative: number;
}

/** Just under the 85 points that a value at its published limit has, so that rounding never takes it away. */
const atLimitPoints = 84.5;
/** Below half of the points, that is. */
const belowHalfPoints = 50 - 1e-9;
const limitBounds: Bounds = { minPositive: atLimitPoints, maxNegative: belowHalfPoints };
const loadBounds: Bounds = { minPositive: 60, maxNegative: 40 - 1e-9 };
/** A usual day has 15. */
const stressBounds: Bounds = { minPositive: 30, maxNegative: 7 };

export const directionBounds: Readonly<Record<ScoreId, Bounds>> = {
  sleep_score: limitBounds,
  recovery_score: limitBounds,
  strain_score: loadBounds,
  nutrition_score: limitBounds,
  stress_score: stressBounds,
  energy_reserve_score: loadBounds,
};

export function directionOf(id: ScoreId, points: number): ScoreFactor['direction'] {
  const { minPositive, maxNegative } = directionBounds[id];
  return points >= minPositive ? 'positive' : points <= maxNegative ? 'negative' : 'neutral';
}
