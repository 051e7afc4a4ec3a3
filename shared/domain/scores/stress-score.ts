// Stress: heart rate variability below and resting heart rate above one's own usual. Kim et al. 2018, Plews et al. 2013.
import type { Score } from '../../model/scores.ts';
import { restingHeartRateScore, variabilityScore } from './baseline.ts';
import { type History, logistic, weighted } from './scoring.ts';

/** A usual day scores about 15, one deviation on the wrong side 50. */
const centre = 1;

/** Null unless heart rate variability has a baseline and a value today. */
export function stressScore(history: History): Score | null {
  const variability = variabilityScore(history);
  if (variability === null) return null;
  const restingHeartRate = restingHeartRateScore(history);
  return weighted('stress_score', {
    heart_rate_variability: logistic(-variability, centre),
    resting_heart_rate: restingHeartRate === null ? null : logistic(restingHeartRate, centre),
  });
}
