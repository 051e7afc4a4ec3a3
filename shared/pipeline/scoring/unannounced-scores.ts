// Accumulates the score changes to announce: which scores changed, and between which days.
import { scoreIds } from '../../catalog/score-ids.ts';
import type { UnannouncedScores } from '../../users/pending-scores.ts';
import type { ScoreChange } from './score-span.ts';

/** A day on which only the notes changed is not announced. */
export function addUnannouncedChange(
  sum: UnannouncedScores | null,
  { day: { date }, changedScores }: ScoreChange,
): UnannouncedScores | null {
  if (changedScores.length === 0) return sum;
  if (sum === null) return { scores: changedScores, from: date, to: date };
  return {
    scores: scoreIds.filter((id) => changedScores.includes(id) || sum.scores.includes(id)),
    from: date < sum.from ? date : sum.from,
    to: date > sum.to ? date : sum.to,
  };
}
