// What every score is made with: days to look back on, points from 0 to 100 for each factor, and their weighted mean in whole numbers.
import type { MetricId } from '../catalog/metrics.ts';
import type { ScoreId } from '../catalog/score-ids.ts';
import type { NoScore } from '../catalog/score-states.ts';
import { type FactorOf, scoreRow } from '../catalog/score-table.ts';
import type { Score, ScoreFactor } from '../measurements/score.ts';
import { computeConfidence } from './confidence.ts';
import { directionOf } from './direction.ts';

/** A person's canonical days as one day sees them: it can look back, never forward. */
export interface History {
  /** Null when there is no value; 0 days back is the day itself. */
  value(metric: MetricId, daysBack: number): number | null;
  /** The ordinal of the device that the value came from. */
  source(metric: MetricId, daysBack: number): number | null;
}

export interface ScoringProfile {
  /** On the day that is scored; null when unknown. */
  ageYears: number | null;
  /** As the profile states them; what was measured goes before. */
  weightKg: number | null;
  heightCm: number | null;
}

/** What a factor was judged by. */
export interface Evidence {
  points: number;
  input: MetricId | ScoreId;
  /** What it was on the day. */
  value: number;
  /** The device it came from; null where several values, or another score, were judged. */
  source: number | null;
  /** What is usual, and how far from that the value is in deviations, where it was held against that. */
  usual?: number;
  z?: number;
  /** How many days a baseline stands on. */
  days?: number;
}

/** Null for a factor that cannot be judged on this day. */
export type EvidenceOf<Id extends ScoreId> = Readonly<Record<FactorOf<Id>, Evidence | null>>;

/** A factor with everything it was made from; `weight` is what it has on this day, in percent. */
export type JudgedFactor = ScoreFactor & Evidence & { weight: number };
export interface JudgedScore extends Score {
  factors: JudgedFactor[];
}

export type ScoreOutcome = JudgedScore | NoScore;
export const isScored = (outcome: ScoreOutcome): outcome is JudgedScore => 'value' in outcome;

/** The weighted mean of the factors that have points; the weights of the others are shared out among these in proportion. */
export function computeWeightedScore<Id extends ScoreId>(
  id: Id,
  evidence: EvidenceOf<Id>,
  /** Where a factor weighs something else on this day than usual. */
  weights: Partial<Record<FactorOf<Id>, number>> = {},
): JudgedScore | null {
  const { factors, version } = scoreRow(id);
  const evidenceByName: Readonly<Record<string, Evidence | null>> = evidence;
  const weightsByName: Readonly<Record<string, number | undefined>> = weights;
  const present = factors.flatMap(({ name, weight }) => {
    const own = evidenceByName[name];
    return own
      ? [{ ...own, name, usualWeight: weight, weight: weightsByName[name] ?? weight, points: clamp(own.points) }]
      : [];
  });
  if (present.length === 0) return null;
  const totalWeight = present.reduce((sum, { weight }) => sum + weight, 0);
  const shares = present.map((factor) => (factor.weight * factor.points) / totalWeight);
  const value = Math.round(shares.reduce((sum, share) => sum + share, 0));
  const contributions = roundToTotal(shares, value);
  return {
    value,
    version,
    confidence: computeConfidence(present),
    factors: present.map(({ usualWeight: _, weight, ...factor }, at) => ({
      ...factor,
      contribution: contributions[at] ?? 0,
      direction: directionOf(id, factor.points),
      weight: (100 * weight) / totalWeight,
    })),
  };
}

/** Rounds the shares so that they add up to the total: the largest remainders are rounded up, the first of equal ones first. */
function roundToTotal(shares: readonly number[], total: number): number[] {
  const floors = shares.map(Math.floor);
  const missing = total - floors.reduce((sum, floor) => sum + floor, 0);
  const byRemainder = shares
    .map((share, at) => ({ at, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.at - b.at);
  const raised = new Set(byRemainder.slice(0, missing).map(({ at }) => at));
  return floors.map((floor, at) => floor + (raised.has(at) ? 1 : 0));
}

const clamp = (points: number): number => Math.min(100, Math.max(0, points));
