// Recovery: heart rate variability and resting heart rate against one's own usual. Plews et al. 2013, Buchheit 2014.
import type { Score } from '../../model/scores.ts';
import { respiratoryRateScore, restingHeartRateScore, variabilityScore } from './baseline.ts';
import { type History, logistic, type ScoredPerson, weighted } from './scoring.ts';
import { sleepScore } from './sleep-score.ts';

/** Half a deviation is the smallest change worth noting: that far on the wrong side scores 50, a usual day 70. */
const centre = -0.5;

/** Null unless heart rate variability or resting heart rate has a baseline and a value today. */
export function recoveryScore(history: History, person: ScoredPerson): Score | null {
  const variability = variabilityScore(history);
  const restingHeartRate = restingHeartRateScore(history);
  if (variability === null && restingHeartRate === null) return null;
  const respiratoryRate = respiratoryRateScore(history);
  return weighted('recovery_score', {
    heart_rate_variability: variability === null ? null : logistic(variability, centre),
    resting_heart_rate: restingHeartRate === null ? null : logistic(-restingHeartRate, centre),
    sleep: sleepScore(history, person)?.value ?? null,
    respiratory_rate: respiratoryRate === null ? null : logistic(-respiratoryRate, centre),
  });
}
