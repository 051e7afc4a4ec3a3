// Why a score has no value on a day, and how confident a value is. Stored days contain positions in
// these lists.
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

/** Takes the place of a score's value. */
export type NoScore =
  | { status: 'calibrating'; days: number; needed: number }
  | { status: 'missing'; reason: MissingReason }
  | { status: 'not_applicable'; reason: NotApplicableReason };

/** The default for a day without a stored result. */
export const noData: NoScore = { status: 'missing', reason: 'no_data' };

const variabilityMetrics: readonly MetricId[] = [
  'sleep_heart_rate_variability',
  'heart_rate_variability_rmssd',
  'heart_rate_variability',
];
const heartRateMetrics: readonly MetricId[] = ['resting_heart_rate', 'sleep_heart_rate'];
const activityMetrics: readonly MetricId[] = ['active_calories', 'exercise', 'steps'];

/** A score needs at least one of these metrics. */
const requiredInputs: Readonly<Record<ScoreId, readonly MetricId[]>> = {
  sleep_score: ['asleep'],
  recovery_score: [...variabilityMetrics, ...heartRateMetrics],
  strain_score: activityMetrics,
  nutrition_score: ['dietary_energy'],
  stress_score: variabilityMetrics,
  energy_reserve_score: [...variabilityMetrics, ...heartRateMetrics],
};

/** The metrics of which at least one must be measured or logged for the day to get a value. */
export function getMissingInputs(id: ScoreId, reason: MissingReason): readonly MetricId[] {
  switch (reason) {
    // Protein is scored per kilogram of body weight.
    case 'too_few_nutrients':
      return ['fiber', 'protein', 'weight'];
    case 'no_strain':
    case 'not_worn':
      return activityMetrics;
    default:
      return requiredInputs[id];
  }
}
