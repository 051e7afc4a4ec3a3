// How far a score is to be trusted: by how much of it could be judged, and by how many days its baselines stand on.
import { type Confidence, confidences } from '../catalog/score-states.ts';

interface WeightedFactor {
  /** Of the score, in percent, when nothing is missing. */
  usualWeight: number;
  /** Undefined where there is no baseline. */
  days?: number;
}

export const confidenceThresholds = {
  high: { weight: 80, days: 14 },
  medium: { weight: 60, days: 7 },
} as const;

/** A factor whose baseline is younger than a level asks for does not count toward that level. */
export function computeConfidence(factors: readonly WeightedFactor[]): Confidence {
  const reaches = ({ weight, days: needed }: { weight: number; days: number }) =>
    factors
      .filter(({ days }) => days === undefined || days >= needed)
      .reduce((sum, { usualWeight }) => sum + usualWeight, 0) >= weight;
  return reaches(confidenceThresholds.high) ? 'high' : reaches(confidenceThresholds.medium) ? 'medium' : 'low';
}

export const lowestConfidence = (...all: readonly Confidence[]): Confidence =>
  confidences[Math.min(...all.map((each) => confidences.indexOf(each)))] ?? 'low';
