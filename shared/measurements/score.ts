// A score of one day: its value, the factors that add up to it, and how far it is to be trusted.
import type { Confidence } from '../catalog/score-states.ts';

export const directions = ['positive', 'neutral', 'negative'] as const;

export interface ScoreFactor {
  name: string;
  /** Its share of the value. */
  contribution: number;
  /** Which way it moves the number. */
  direction: (typeof directions)[number];
}

export interface Score {
  /** 0 to 100, whole. */
  value: number;
  factors: ScoreFactor[];
  confidence: Confidence;
  /** Of the formula it was computed by. */
  version: number;
}
