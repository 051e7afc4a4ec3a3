// Renders scores in rows, which are the same in both forms; each form passes the scores it
// supports.
import { isScoreId, type ScoreId } from '../../catalog/score-ids.ts';
import { scoreRow } from '../../catalog/score-table.ts';
import type { Presenter } from '../../platform/presenter.ts';
import { addDays } from '../../platform/time/local-day.ts';
import { tooLarge } from '../kit/range.ts';
import { requestedIds } from '../kit/requested-ids.ts';
import { parseStartEnd, type StartEndQuery } from '../kit/requested-range.ts';
import type { ScoreHistory, ScoreHistoryRow } from './form-2-schema.ts';
import { isScoreResult, type ScoresRequest, type ScoresResult } from './read-scores.ts';
import { presentScoreMeta, presentState } from './score-fields.ts';

export interface ScoreHistoryQuery extends StartEndQuery {
  types?: string | undefined;
  include_missing: boolean;
}

/** The longest rows fit into one result of a function. Without those that miss a score, all fit. */
const maxRows = 20_000;

export const createScoreHistoryPresenter = (
  supported: readonly ScoreId[],
): Presenter<ScoreHistoryQuery, ScoresRequest, ScoresResult, ScoreHistory> => ({
  parse: (query) => ({
    range: parseStartEnd(query),
    scores: requestedScores(query.types, supported),
    explanations: 'none',
  }),
  render({ range, dates, columns }, { include_missing }) {
    const maxDays = Math.floor(maxRows / columns.length);
    if (include_missing && dates.length > maxDays)
      throw tooLarge('end_date', `has more than ${maxRows} rows`, {
        from: range.from,
        to: addDays(range.from, maxDays - 1),
      });
    return { data: presentRows(dates, columns, include_missing) };
  },
});

const presentRows = (
  dates: readonly string[],
  columns: ScoresResult['columns'],
  include_missing: boolean,
): ScoreHistoryRow[] =>
  dates.flatMap((date, at) =>
    columns.flatMap(({ id, entries }): ScoreHistoryRow[] => {
      const entry = entries[at];
      if (!entry) return [];
      if (isScoreResult(entry)) return [{ date, type: id, value: entry.value, ...presentScoreMeta(id, entry) }];
      if (!include_missing) return [];
      const { better } = scoreRow(id);
      return [{ date, type: id, value: null, confidence: null, formula: null, better, ...presentState(id, entry) }];
    }),
  );

/** Defaults to all supported scores. */
export function requestedScores(types: string | undefined, supported: readonly ScoreId[]): readonly ScoreId[] {
  if (types === undefined) return supported;
  const isSupported = (text: string): text is ScoreId => isScoreId(text) && supported.includes(text);
  return requestedIds(types, {
    parameter: 'types',
    isSupported,
    advice: () => `the supported scores are ${supported.join(', ')}`,
  });
}
