// Whom a score is made for: the published advice and the studies behind all of them are about adults, behind sleep from one year on.

import type { ScoreId } from '../catalog/score-ids.ts';
import type { NoScore } from '../catalog/score-states.ts';
import { ageOn } from '../platform/time/age.ts';

export const minAdultAge = 18;
export const minSleepScoreAge = 1;
/** Sleep is shorter and lighter, and more protein is advised. */
export const minOlderAdultAge = 65;

/** Undefined when the score applies, as it does to whoever does not say how old they are. */
export function checkScoreAge(id: ScoreId, ageYears: number | null): NoScore | undefined {
  if (ageYears === null) return undefined;
  if (id === 'sleep_score')
    return ageYears < minSleepScoreAge ? { status: 'not_applicable', reason: 'under_1' } : undefined;
  return ageYears < minAdultAge ? { status: 'not_applicable', reason: 'under_18' } : undefined;
}

/** Null when unknown; below zero before the birth, so that no score applies. */
/** What the formulas know of a user. */
export interface ScoredProfile {
  date_of_birth?: string | null | undefined;
  weight_kg?: number | null | undefined;
  height_cm?: number | null | undefined;
}

export const getAge = ({ date_of_birth: born }: ScoredProfile, date: string): number | null =>
  born ? ageOn(born, date) : null;
