// Scores in columns with the newest of the range, and in rows.
import type { ScoreId } from '../../catalog/score-ids.ts';
import type { NoScore } from '../../catalog/score-states.ts';
import { form2ScoreIds } from '../../catalog/score-table.ts';
import type { Face } from '../../platform/presenter.ts';
import { type FromToQuery, fromTo } from '../kit/asked-range.ts';
import type { ScoreColumns } from './form-2-schema.ts';
import { isValue, type ReadScore, type ScoresAsked, type ScoresRead } from './read-scores.ts';
import { presentAbout, presentFactor, presentState } from './score-fields.ts';
import { requestedScores, scoreRowsOf } from './score-table.ts';

export interface ScoresQuery extends FromToQuery {
  types?: string | undefined;
  include_factors: boolean;
  include_status: boolean;
}

export const form2Scores: Face<ScoresQuery, ScoresAsked, ScoresRead, ScoreColumns> = {
  asked: (query) => ({
    range: fromTo(query),
    scores: requestedScores(query.types, form2ScoreIds),
    explained: query.include_factors ? 'all' : 'none',
  }),
  present({ range, dates, columns }, { include_factors, include_status }) {
    const byId = <T>(of: (entries: (ReadScore | NoScore)[], id: ScoreId) => T) =>
      Object.fromEntries(columns.map(({ id, entries }) => [id, of(entries, id)]));
    const statuses = byId((entries, id) => entries.map((entry) => presentState(id, entry)));
    return {
      from_date: range.from,
      to_date: range.to,
      dates,
      series: byId((entries) => entries.map(valueOrNull)),
      latest: byId((entries, id) => latestOf(id, dates, entries)),
      status: Object.fromEntries(
        Object.entries(statuses).flatMap(([id, states]) => states.slice(-1).map((state) => [id, state])),
      ),
      ...(include_factors
        ? {
            factors: byId((entries) =>
              entries.map((entry) => (isValue(entry) ? entry.factors.map(presentFactor) : null)),
            ),
          }
        : {}),
      ...(include_status ? { statuses } : {}),
    };
  },
};

const valueOrNull = (entry: ReadScore | NoScore | undefined): number | null =>
  entry && isValue(entry) ? entry.value : null;

function latestOf(id: ScoreId, dates: readonly string[], entries: readonly (ReadScore | NoScore)[]) {
  const at = entries.findLastIndex(isValue);
  const [date, newest] = [dates[at], entries[at]];
  if (date === undefined || !newest || !isValue(newest)) return null;
  return { date, value: newest.value, previous_value: valueOrNull(entries[at - 1]), ...presentAbout(id, newest) };
}

export const form2ScoreHistory = scoreRowsOf(form2ScoreIds);
