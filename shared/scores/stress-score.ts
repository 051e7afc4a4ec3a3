// Physiological stress: heart rate variability below and resting heart rate above one's own usual. After Kim et al. 2018 and Plews et al. 2013.
import { noData } from '../catalog/score-states.ts';
import { logistic } from './curves.ts';
import { againstUsual, judged, nearestToReady, restingHeartRate, variability } from './heart.ts';
import { type History, type Outcome, weighted } from './scoring.ts';

/** A usual day scores about 15, one deviation on the wrong side 50. */
export const stressCentre = 1;

export function stressScore(history: History): Outcome {
  const hrv = againstUsual(history, variability);
  const evidence = judged(hrv, (z) => logistic(-z, stressCentre));
  if (evidence === null) {
    const calibrating = nearestToReady(hrv);
    return calibrating ? { status: 'calibrating', ...calibrating } : noData;
  }
  return (
    weighted('stress_score', {
      heart_rate_variability: evidence,
      resting_heart_rate: judged(againstUsual(history, restingHeartRate), (z) => logistic(z, stressCentre)),
    }) ?? noData
  );
}
