// Recovery: heart rate variability and resting heart rate compared with the user's baseline, plus
// the night. After Plews et al. 2013 and Buchheit 2014.
import { noData } from '../catalog/score-states.ts';
import { logistic } from './curves.ts';
import {
  closestToCalibrated,
  compareToBaseline,
  heartRateVariability,
  respiratoryRate,
  restingHeartRate,
  toEvidence,
} from './heart-deviations.ts';
import { computeWeightedScore, type History, isScored, type ScoreOutcome, type ScoringProfile } from './scoring.ts';
import { maxNapMinutes, sleepScore } from './sleep-score.ts';

/** Half a deviation on the unfavourable side scores 50, a usual day 70. */
export const recoveryCentre = -0.5;
/** An unusually high variability is no better than a high one. */
export const maxUsefulVariability = 1;

/**
 * The weight of both heart factors together. If one is missing, the other takes its weight, never
 * the night.
 */
export const heartWeight = 65;

export function recoveryScore(history: History, profile: ScoringProfile): ScoreOutcome {
  const hrv = compareToBaseline(history, heartRateVariability);
  const rate = compareToBaseline(history, restingHeartRate);
  const hrvEvidence = toEvidence(hrv, (z) => logistic(Math.min(z, maxUsefulVariability), recoveryCentre));
  const rateEvidence = toEvidence(rate, (z) => logistic(-z, recoveryCentre));
  if (hrvEvidence === null && rateEvidence === null) {
    const calibrating = closestToCalibrated(hrv, rate);
    return calibrating ? { status: 'calibrating', ...calibrating } : noData;
  }
  const sleep = sleepScore(history, profile);
  const hasOneHeartFactor = hrvEvidence === null || rateEvidence === null;
  const score = computeWeightedScore(
    'recovery_score',
    {
      heart_rate_variability: hrvEvidence,
      resting_heart_rate: rateEvidence,
      sleep: isScored(sleep) ? { points: sleep.value, input: 'sleep_score', value: sleep.value, source: null } : null,
      // A slower rate than usual is not better.
      respiratory_rate: toEvidence(compareToBaseline(history, respiratoryRate), (z) =>
        logistic(-Math.max(z, 0), recoveryCentre),
      ),
    },
    hasOneHeartFactor ? { heart_rate_variability: heartWeight, resting_heart_rate: heartWeight } : {},
  );
  if (score === null) return noData;
  // Either only part of the night was recorded, or the user slept little: in both cases the
  // confidence is low.
  const asleep = history.value('asleep', 0);
  return asleep !== null && asleep < maxNapMinutes ? { ...score, confidence: 'low' } : score;
}
