// What every score is made with: days to look back on, points from 0 to 100 for each factor, and their weighted mean in whole numbers.
import type { MetricId } from '../../model/metrics.ts';
import type { ScoreId } from '../../model/score-ids.ts';
import { type FactorOf, type Score, type ScoreFactor, scoreTable } from '../../model/scores.ts';

/** A person's canonical days as one day sees them: it can look back, never forward. */
export interface History {
  /** Null when there is no value; 0 days back is the day itself. */
  value(metric: MetricId, daysBack: number): number | null;
}

export interface ScoredPerson {
  /** On the day that is scored; null when unknown. */
  ageYears: number | null;
  /** As the profile states it; a measured weight goes before it. */
  weightKg: number | null;
}

/** Null for a factor that cannot be judged on this day. */
export type PointsOf<Id extends ScoreId> = Readonly<Record<FactorOf<Id>, number | null>>;

const positiveFrom = 60;
const negativeBelow = 40;

/** The weighted mean of the factors that have points; the weights of the others are shared out among these. */
export function weighted<Id extends ScoreId>(id: Id, points: PointsOf<Id>): Score | null {
  const named: Readonly<Record<string, number | null>> = points;
  const present = factorsOf(id).flatMap(({ name, weight }) => {
    const own = named[name];
    return own === null || own === undefined ? [] : [{ name, weight, points: clamp(own) }];
  });
  if (present.length === 0) return null;
  const whole = present.reduce((sum, { weight }) => sum + weight, 0);
  const shares = present.map((factor) => (factor.weight * factor.points) / whole);
  const value = Math.round(shares.reduce((sum, share) => sum + share, 0));
  const contributions = inWholeNumbers(shares, value);
  return {
    value,
    factors: present.map(
      ({ name, points: own }, at): ScoreFactor => ({
        name,
        contribution: contributions[at] ?? 0,
        direction: own >= positiveFrom ? 'positive' : own < negativeBelow ? 'negative' : 'neutral',
      }),
    ),
  };
}

const factorsOf = (id: ScoreId) =>
  scoreTable.flatMap((row): readonly { name: string; weight: number }[] => (row.id === id ? row.factors : []));

/** Rounds the shares so that they add up to the total: the largest remainders are rounded up, the first of equal ones first. */
function inWholeNumbers(shares: readonly number[], total: number): number[] {
  const floors = shares.map(Math.floor);
  const missing = total - floors.reduce((sum, floor) => sum + floor, 0);
  const byRemainder = shares
    .map((share, at) => ({ at, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.at - b.at);
  const raised = new Set(byRemainder.slice(0, missing).map(({ at }) => at));
  return floors.map((floor, at) => floor + (raised.has(at) ? 1 : 0));
}

const clamp = (points: number): number => Math.min(100, Math.max(0, points));

/** Points between anchors, along straight lines; level before the first anchor and after the last. */
export function along(anchors: readonly (readonly [at: number, points: number])[], x: number): number {
  let [beforeAt, beforePoints] = anchors[0] ?? [0, 0];
  if (x <= beforeAt) return beforePoints;
  for (const [at, points] of anchors) {
    if (x <= at)
      return at === beforeAt ? points : beforePoints + ((points - beforePoints) * (x - beforeAt)) / (at - beforeAt);
    [beforeAt, beforePoints] = [at, points];
  }
  return beforePoints;
}

/** The steepness that makes a logistic curve follow the normal distribution. */
const steepness = 1.7;

/** 50 at the centre, climbing with the standard score. */
export const logistic = (standardScore: number, centre: number): number =>
  100 / (1 + Math.exp(-steepness * (standardScore - centre)));
