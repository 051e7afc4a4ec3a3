// Why a score has no value on a day, and how far to trust one that it has. Positions in these lists are written into stored days.
import type { MetricId } from './metrics.ts';
import type { ScoreId } from './score-ids.ts';

export const confidences = ['low', 'medium', 'high'] as const;
export type Confidence = (typeof confidences)[number];

export const missingReasons = [
  'no_data',
  'no_main_sleep',
  'log_incomplete',
  'not_worn',
  'too_few_nutrients',
  'no_strain',
] as const;
export type MissingReason = (typeof missingReasons)[number];

export const notApplicableReasons = ['under_18', 'under_1'] as const;
export type NotApplicableReason = (typeof notApplicableReasons)[number];

/** What stands in a value's place. */
export type NoScore =
  | { status: 'calibrating'; days: number; needed: number }
  | { status: 'missing'; reason: MissingReason }
  | { status: 'not_applicable'; reason: NotApplicableReason };

/** A day of which nothing is said has no data. */
export const noData: NoScore = { status: 'missing', reason: 'no_data' };

const variabilityMetrics: readonly MetricId[] = [
  'sleep_heart_rate_variability',
  'heart_rate_variability_rmssd',
  'heart_rate_variability',
];
const heartRateMetrics: readonly MetricId[] = ['resting_heart_rate', 'sleep_heart_rate'];
const activityMetrics: readonly MetricId[] = ['active_calories', 'exercise', 'steps'];

/** The metrics of which at least one is needed. */
const requiredInputs: Readonly<Record<ScoreId, readonly MetricId[]>> = {
  sleep_score: ['asleep'],
  recovery_score: [...variabilityMetrics, ...heartRateMetrics],
  strain_score: activityMetrics,
  nutrition_score: ['dietary_energy'],
  stress_score: variabilityMetrics,
  energy_reserve_score: [...variabilityMetrics, ...heartRateMetrics],
};

/** What would have to be measured or logged, at least one of it, for the day to get a value. */
export function getMissingInputs(id: ScoreId, reason: MissingReason): readonly MetricId[] {
  switch (reason) {
    // Protein is judged by the kilogram.
    case 'too_few_nutrients':
      return ['fiber', 'protein', 'weight'];
    case 'no_strain':
    case 'not_worn':
      return activityMetrics;
    default:
      return requiredInputs[id];
  }
}
