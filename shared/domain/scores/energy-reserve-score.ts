// Energy reserve: what recovery gave, less what today and the days before have taken, fading as fatigue does. Banister 1991.
import type { Score } from '../../model/scores.ts';
import { recoveryScore } from './recovery-score.ts';
import { type History, type ScoredPerson, weighted } from './scoring.ts';
import { strainScore } from './strain-score.ts';

export const fatigueDays = 7;
/** What is left of a day's fatigue on the next one, for a time constant of seven days. */
const fading = Math.exp(-1 / 7);

/** Null without both recovery and strain. */
export function energyReserveScore(history: History, person: ScoredPerson): Score | null {
  const recovery = recoveryScore(history, person);
  const strain = strainScore(history);
  if (recovery === null || strain === null) return null;
  const fatigue = fatigueBefore(history);
  return weighted('energy_reserve_score', {
    recovery: recovery.value,
    effort_today: 100 - strain.value,
    effort_before: fatigue === null ? null : 100 - fatigue,
  });
}

/** The strain of the week before, newer days counting more; null when none of them has a strain. */
function fatigueBefore(history: History): number | null {
  let sum = 0;
  let weights = 0;
  for (let back = 1; back <= fatigueDays; back++) {
    const strain = strainScore(earlier(history, back));
    if (strain === null) continue;
    sum += strain.value * fading ** back;
    weights += fading ** back;
  }
  return weights === 0 ? null : sum / weights;
}

const earlier = (history: History, days: number): History => ({
  value: (metric, daysBack) => history.value(metric, days + daysBack),
});
