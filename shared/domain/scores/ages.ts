// Whom a score is made for: the published advice and the studies behind all of them are about adults, behind sleep from one year on.
import type { ScoreId } from '../../model/score-ids.ts';
import type { NoScore } from '../../model/score-states.ts';

export const adultFrom = 18;
export const sleepFrom = 1;
/** Sleep is shorter and lighter, and more protein is advised. */
export const olderFrom = 65;

/** Undefined when the score applies, as it does to whoever does not say how old they are. */
export function notApplicableAt(id: ScoreId, ageYears: number | null): NoScore | undefined {
  if (ageYears === null) return undefined;
  if (id === 'sleep_score') return ageYears < sleepFrom ? { status: 'not_applicable', reason: 'under_1' } : undefined;
  return ageYears < adultFrom ? { status: 'not_applicable', reason: 'under_18' } : undefined;
}

/** Whole years; nobody has an age before being born. */
export function ageOn(date: string, dateOfBirth: string | null): number | null {
  if (dateOfBirth === null || date < dateOfBirth) return null;
  const years = Number(date.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return date.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}
