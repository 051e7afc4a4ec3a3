// Physiological stress: heart rate variability below, and resting heart rate above, the user's
// baseline. After Kim et al. 2018 and Plews et al. 2013.
import { noData } from '../catalog/score-states.ts';
import { logistic } from './curves.ts';
import {
  closestToCalibrated,
  compareToBaseline,
  heartRateVariability,
  restingHeartRate,
  toEvidence,
} from './heart-deviations.ts';
import { computeWeightedScore, type History, type ScoreOutcome } from './scoring.ts';

/** A usual day scores about 15, one deviation on the unfavourable side 50. */
export const stressCentre = 1;

export function stressScore(history: History): ScoreOutcome {
  const hrv = compareToBaseline(history, heartRateVariability);
  const evidence = toEvidence(hrv, (z) => logistic(-z, stressCentre));
  if (evidence === null) {
    const calibrating = closestToCalibrated(hrv);
    return calibrating ? { status: 'calibrating', ...calibrating } : noData;
  }
  return (
    computeWeightedScore('stress_score', {
      heart_rate_variability: evidence,
      resting_heart_rate: toEvidence(compareToBaseline(history, restingHeartRate), (z) => logistic(z, stressCentre)),
    }) ?? noData
  );
}
