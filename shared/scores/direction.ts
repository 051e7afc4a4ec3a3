// Which way a factor moves its score. At most published limits a value has 85 points, and what is clearly past them is not called positive.

import type { ScoreId } from '../catalog/score-ids.ts';
import type { ScoreFactor } from '../measurements/score.ts';

interface Bounds {
  positiveFrom: number;
  negativeTo: number;
}

/** Just under the 85 points that a value at its published limit has, so that rounding never takes it away. */
const metItsLimit = 84.5;
/** Below half of the points, that is. */
const underHalf = 50 - 1e-9;
const ofLimits: Bounds = { positiveFrom: metItsLimit, negativeTo: underHalf };
const ofLoad: Bounds = { positiveFrom: 60, negativeTo: 40 - 1e-9 };
/** A usual day has 15. */
const ofStress: Bounds = { positiveFrom: 30, negativeTo: 7 };

export const directionBounds: Readonly<Record<ScoreId, Bounds>> = {
  sleep_score: ofLimits,
  recovery_score: ofLimits,
  strain_score: ofLoad,
  nutrition_score: ofLimits,
  stress_score: ofStress,
  energy_reserve_score: ofLoad,
};

export function directionOf(id: ScoreId, points: number): ScoreFactor['direction'] {
  const { positiveFrom, negativeTo } = directionBounds[id];
  return points >= positiveFrom ? 'positive' : points <= negativeTo ? 'negative' : 'neutral';
}
