// The newest value of every score, with what it is made of; and scores in rows. What lies before the days a read covers by default is not current.
import { scoreIds } from '../../model/score-ids.ts';
import type { CurrentScores } from '../../model/scores.ts';
import { timestamp } from '../../model/time.ts';
import type { ScoresAsked, ScoresRead } from '../../reads/scores.ts';
import { fromTo } from '../asked-range.ts';
import type { Face } from '../face.ts';
import { scoreRowsOf } from '../score-rows.ts';

export const form1Scores: Face<unknown, ScoresAsked, ScoresRead, CurrentScores> = {
  asked: () => ({ range: fromTo({}), scores: scoreIds }),
  present: ({ scores, days }) => ({
    data: scores.flatMap((type) => {
      const day = days.findLast((each) => each.scores.has(type));
      const score = day?.scores.get(type);
      return day && score ? [{ type, ...score, computed_at: timestamp(day.computedMs) }] : [];
    }),
  }),
};

export const form1ScoreHistory = scoreRowsOf(scoreIds);
