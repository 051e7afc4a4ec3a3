// Renders scores in columns with the newest values of the range, and in rows.
import type { ScoreId } from '../../catalog/score-ids.ts';
import type { NoScore } from '../../catalog/score-states.ts';
import { form2ScoreIds } from '../../catalog/score-table.ts';
import type { Presenter } from '../../platform/presenter.ts';
import { type FromToQuery, parseFromTo } from '../kit/requested-range.ts';
import type { ScoreColumns } from './form-2-schema.ts';
import { isScoreResult, type ScoreResult, type ScoresRequest, type ScoresResult } from './read-scores.ts';
import { presentFactor, presentScoreMeta, presentState } from './score-fields.ts';
import { createScoreHistoryPresenter, requestedScores } from './score-history.ts';

export interface ScoresQuery extends FromToQuery {
  types?: string | undefined;
  include_factors: boolean;
  include_status: boolean;
}

export const form2Scores: Presenter<ScoresQuery, ScoresRequest, ScoresResult, ScoreColumns> = {
  parse: (query) => ({
    range: parseFromTo(query),
    scores: requestedScores(query.types, form2ScoreIds),
    explanations: query.include_factors ? 'all' : 'none',
  }),
  render({ range, dates, columns }, { include_factors, include_status }) {
    const byId = <T>(present: (entries: (ScoreResult | NoScore)[], id: ScoreId) => T) =>
      Object.fromEntries(columns.map(({ id, entries }) => [id, present(entries, id)]));
    const statuses = byId((entries, id) => entries.map((entry) => presentState(id, entry)));
    return {
      from_date: range.from,
      to_date: range.to,
      dates,
      series: byId((entries) => entries.map(valueOrNull)),
      latest: byId((entries, id) => presentLatest(id, dates, entries)),
      status: Object.fromEntries(
        Object.entries(statuses).flatMap(([id, states]) => states.slice(-1).map((state) => [id, state])),
      ),
      ...(include_factors
        ? {
            factors: byId((entries) =>
              entries.map((entry) => (isScoreResult(entry) ? entry.factors.map(presentFactor) : null)),
            ),
          }
        : {}),
      ...(include_status ? { statuses } : {}),
    };
  },
};

const valueOrNull = (entry: ScoreResult | NoScore | undefined): number | null =>
  entry && isScoreResult(entry) ? entry.value : null;

function presentLatest(id: ScoreId, dates: readonly string[], entries: readonly (ScoreResult | NoScore)[]) {
  const at = entries.findLastIndex(isScoreResult);
  const [date, newest] = [dates[at], entries[at]];
  if (date === undefined || !newest || !isScoreResult(newest)) return null;
  return { date, value: newest.value, previous_value: valueOrNull(entries[at - 1]), ...presentScoreMeta(id, newest) };
}

export const form2ScoreHistory = createScoreHistoryPresenter(form2ScoreIds);
