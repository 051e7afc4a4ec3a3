// Determines whether a factor raises or lowers its score. A value at a published limit usually has
// 85 points; a value clearly beyond a limit is not positive.

import type { ScoreId } from '../catalog/score-ids.ts';
import type { ScoreFactor } from '../measurements/score.ts';

interface Bounds {
  minPositive: number;
  maxNegative: number;
}

/**
 * Just below the 85 points of a value at its published limit, so that rounding does not change its
 * direction.
 */
const atLimitPoints = 84.5;
/** Strictly below half of the points. */
const belowHalfPoints = 50 - 1e-9;
const limitBounds: Bounds = { minPositive: atLimitPoints, maxNegative: belowHalfPoints };
const loadBounds: Bounds = { minPositive: 60, maxNegative: 40 - 1e-9 };
/** A usual day has 15 points. */
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
