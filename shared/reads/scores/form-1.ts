// The newest value of every score, with what it is made of; and scores in rows. What lies before the days a read covers by default is not current.
import { scoreIds } from '../../catalog/score-ids.ts';
import type { Face } from '../../platform/presenter.ts';
import { timestamp } from '../../platform/time/time.ts';
import { fromTo } from '../kit/asked-range.ts';
import type { CurrentScore, CurrentScores } from './form-2-schema.ts';
import { isValue, type ScoresAsked, type ScoresRead } from './read-scores.ts';
import { presentAbout, presentFactor, presentState } from './score-fields.ts';
import { scoreRowsOf } from './score-table.ts';

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
