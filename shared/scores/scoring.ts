// Shared by all scores: the history they look back on, the points from 0 to 100 of each factor, and
// their weighted mean in integers.
import type { MetricId } from '../catalog/metrics.ts';
import type { ScoreId } from '../catalog/score-ids.ts';
import type { NoScore } from '../catalog/score-states.ts';
import { type FactorOf, scoreRow } from '../catalog/score-table.ts';
import type { Score, ScoreFactor } from '../measurements/score.ts';
import { computeConfidence } from './confidence.ts';
import { directionOf } from './direction.ts';

/** A user's canonical days as seen from one day: it can look back, never forward. */
export interface History {
  /** Returns null when there is no value; 0 days back is the day itself. */
  value(metric: MetricId, daysBack: number): number | null;
  /** Returns the ordinal of the device that the value came from. */
  source(metric: MetricId, daysBack: number): number | null;
  /** Whether the day has a main sleep. It matters only for a short sleep, which may be a nap. */
  hasMainSleep: boolean;
}

export interface ScoringProfile {
  /** On the scored day; null when unknown. */
  ageYears: number | null;
  /** From the profile; measured values take precedence. */
  weightKg: number | null;
  heightCm: number | null;
}

/** The input that a factor is based on. */
export interface Evidence {
  points: number;
  input: MetricId | ScoreId;
  /** The input's value on the day. */
  value: number;
  /**
   * The ordinal of the source device; null if the factor is based on several values or on another
   * score.
   */
  source: number | null;
  /**
   * The usual value, and the distance from it in standard deviations, if the factor is compared
   * with a baseline.
   */
  usual?: number;
  z?: number;
  /** The number of days in the baseline. */
  days?: number;
}

/** Null for a factor that has no input on this day. */
export type EvidenceOf<Id extends ScoreId> = Readonly<Record<FactorOf<Id>, Evidence | null>>;

/** A factor with its evidence; `weight` is its weight on this day, in percent. */
export type JudgedFactor = ScoreFactor & Evidence & { weight: number };
export interface JudgedScore extends Score {
  factors: JudgedFactor[];
}

export type ScoreOutcome = JudgedScore | NoScore;
export const isScored = (outcome: ScoreOutcome): outcome is JudgedScore => 'value' in outcome;

/**
 * Returns the weighted mean of the factors that have points; the weights of missing factors are
 * distributed among them in proportion.
 */
export function computeWeightedScore<Id extends ScoreId>(
  id: Id,
  evidence: EvidenceOf<Id>,
  /** Weights that differ from the usual ones on this day. */
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

/**
 * Rounds the shares so that they add up to the total: the largest remainders are rounded up, the
 * first of equal ones first.
 */
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
