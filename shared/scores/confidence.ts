// Computes the confidence of a score from the weight of its available factors and the number of
// days in their baselines.
import { type Confidence, confidences } from '../catalog/score-states.ts';

interface WeightedFactor {
  /** The weight in percent when no factor is missing. */
  usualWeight: number;
  /** The number of baseline days; undefined for factors without a baseline. */
  days?: number;
}

export const confidenceThresholds = {
  high: { weight: 80, days: 14 },
  medium: { weight: 60, days: 7 },
} as const;

/**
 * A factor whose baseline has fewer days than a level requires does not count toward that level.
 */
export function computeConfidence(factors: readonly WeightedFactor[]): Confidence {
  const reaches = ({ weight, days: needed }: { weight: number; days: number }) =>
    factors
      .filter(({ days }) => days === undefined || days >= needed)
      .reduce((sum, { usualWeight }) => sum + usualWeight, 0) >= weight;
  return reaches(confidenceThresholds.high) ? 'high' : reaches(confidenceThresholds.medium) ? 'medium' : 'low';
}

export const lowestConfidence = (...all: readonly Confidence[]): Confidence =>
  confidences[Math.min(...all.map((each) => confidences.indexOf(each)))] ?? 'low';
