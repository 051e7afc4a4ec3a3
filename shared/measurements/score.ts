// A score of one day: its value, the factors that add up to it, and its confidence.
import type { ScoreId } from '../catalog/score-ids.ts';
import type { Confidence } from '../catalog/score-states.ts';
import type { FactorOf } from '../catalog/score-table.ts';

export const directions = ['positive', 'neutral', 'negative'] as const;

export interface ScoreFactor {
  name: FactorOf<ScoreId>;
  /** The factor's share of the value. */
  contribution: number;
  /** Whether the factor raises or lowers the value. */
  direction: (typeof directions)[number];
}

export interface Score {
  /** An integer from 0 to 100. */
  value: number;
  factors: ScoreFactor[];
  confidence: Confidence;
  /** The version of the formula that computed the score. */
  version: number;
}
