// The newest value of every score, with what it is made of; and scores in rows. What lies before the days a read covers by default is not current.
import { scoreIds } from '../../model/score-ids.ts';
import type { CurrentScore, CurrentScores } from '../../model/scores.ts';
import { timestamp } from '../../model/time.ts';
import { isValue, type ScoresAsked, type ScoresRead } from '../../reads/scores.ts';
import { fromTo } from '../asked-range.ts';
import type { Face } from '../face.ts';
import { presentAbout, presentFactor, presentState } from '../score-fields.ts';
import { scoreRowsOf } from '../score-rows.ts';

export const form1Scores: Face<unknown, ScoresAsked, ScoresRead, CurrentScores> = {
  asked: () => ({ range: fromTo({}), scores: scoreIds, explained: 'newest' }),
  present: ({ dates, columns }) => ({
    data: columns.flatMap(({ id, entries }): CurrentScore[] => {
      const at = entries.findLastIndex(isValue);
      const [date, score] = [dates[at], entries[at]];
      if (date === undefined || !score || !isValue(score)) return [];
      const { value, computedMs, factors } = score;
      const computed_at = timestamp(computedMs);
      return [{ type: id, date, value, computed_at, ...presentAbout(id, score), factors: factors.map(presentFactor) }];
    }),
    status: Object.fromEntries(
      columns.flatMap(({ id, entries }) => entries.slice(-1).map((entry) => [id, presentState(id, entry)])),
    ),
  }),
};

export const form1ScoreHistory = scoreRowsOf(scoreIds);
