// Renders the newest value of every score with its factors, and scores in rows. Values older than
// the default range of a read are not current.
import { scoreIds } from '../../catalog/score-ids.ts';
import type { Presenter } from '../../platform/presenter.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import { parseFromTo } from '../kit/requested-range.ts';
import type { CurrentScore, CurrentScores } from './form-2-schema.ts';
import { isScoreResult, type ScoresRequest, type ScoresResult } from './read-scores.ts';
import { presentFactor, presentScoreMeta, presentState } from './score-fields.ts';
import { createScoreHistoryPresenter } from './score-history.ts';

export const form1Scores: Presenter<unknown, ScoresRequest, ScoresResult, CurrentScores> = {
  parse: () => ({ range: parseFromTo({}), scores: scoreIds, explanations: 'newest' }),
  render: ({ dates, columns }) => ({
    data: columns.flatMap(({ id, entries }): CurrentScore[] => {
      const at = entries.findLastIndex(isScoreResult);
      const [date, score] = [dates[at], entries[at]];
      if (date === undefined || !score || !isScoreResult(score)) return [];
      const { value, computedMs, factors } = score;
      const computed_at = formatTimestamp(computedMs);
      return [
        { type: id, date, value, computed_at, ...presentScoreMeta(id, score), factors: factors.map(presentFactor) },
      ];
    }),
    status: Object.fromEntries(
      columns.flatMap(({ id, entries }) => entries.slice(-1).map((entry) => [id, presentState(id, entry)])),
    ),
  }),
};

export const form1ScoreHistory = createScoreHistoryPresenter(scoreIds);
