// The ages a score applies to: the published advice and studies behind the scores cover adults;
// those behind the sleep score cover ages from one year.

import type { ScoreId } from '../catalog/score-ids.ts';
import type { NoScore } from '../catalog/score-states.ts';
import { ageOn } from '../platform/time/local-day.ts';

export const minAdultAge = 18;
export const minSleepScoreAge = 1;
/** From this age, sleep is shorter and lighter, and more protein is advised. */
export const minOlderAdultAge = 65;

/** Returns undefined when the score applies. It applies when the age is unknown. */
export function checkScoreAge(id: ScoreId, ageYears: number | null): NoScore | undefined {
  if (ageYears === null) return undefined;
  if (id === 'sleep_score')
    return ageYears < minSleepScoreAge ? { status: 'not_applicable', reason: 'under_1' } : undefined;
  return ageYears < minAdultAge ? { status: 'not_applicable', reason: 'under_18' } : undefined;
}

/** The profile fields that the formulas use. */
export interface ScoredProfile {
  date_of_birth?: string | null | undefined;
  weight_kg?: number | null | undefined;
  height_cm?: number | null | undefined;
}

/** Returns null when the age is unknown; negative before birth, so that no score applies. */
export const getAge = ({ date_of_birth: born }: ScoredProfile, date: string): number | null =>
  born ? ageOn(born, date) : null;
