// What passes announce of scores: which scores changed, and between which days.
import { scoreIds } from '../../catalog/score-ids.ts';
import type { AnnouncedScores } from '../../users/owed-scores.ts';
import type { ScoreChange } from './score-changes.ts';

/** A day of which only the notes changed is not told of. */
export function including(sum: AnnouncedScores | null, { day: { date }, told }: ScoreChange): AnnouncedScores | null {
  if (told.length === 0) return sum;
  if (sum === null) return { scores: told, from: date, to: date };
  return {
    scores: scoreIds.filter((id) => told.includes(id) || sum.scores.includes(id)),
    from: date < sum.from ? date : sum.from,
    to: date > sum.to ? date : sum.to,
  };
}
