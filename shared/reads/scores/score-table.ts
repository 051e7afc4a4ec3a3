// Scores in rows, which both forms show alike; each says which scores it has.
import { isScoreId, type ScoreId } from '../../catalog/score-ids.ts';
import { scoreRow } from '../../catalog/score-table.ts';
import type { Face } from '../../platform/presenter.ts';
import { type StartEndQuery, startEnd } from '../kit/asked-range.ts';
import { requestedIds } from '../kit/requested-ids.ts';
import type { ScoreHistory, ScoreHistoryRow } from './form-2-schema.ts';
import { isValue, type ScoresAsked, type ScoresRead } from './read-scores.ts';
import { presentAbout, presentState } from './score-fields.ts';

export interface ScoreHistoryQuery extends StartEndQuery {
  types?: string | undefined;
  include_missing: boolean;
}

export const scoreRowsOf = (
  served: readonly ScoreId[],
): Face<ScoreHistoryQuery, ScoresAsked, ScoresRead, ScoreHistory> => ({
  asked: (query) => ({ range: startEnd(query), scores: requestedScores(query.types, served), explained: 'none' }),
  present: ({ dates, columns }, { include_missing }) => ({
    data: dates.flatMap((date, at) =>
      columns.flatMap(({ id, entries }): ScoreHistoryRow[] => {
        const entry = entries[at];
        if (!entry) return [];
        if (isValue(entry)) return [{ date, type: id, value: entry.value, ...presentAbout(id, entry) }];
        if (!include_missing) return [];
        const { better } = scoreRow(id);
        return [{ date, type: id, value: null, confidence: null, formula: null, better, ...presentState(id, entry) }];
      }),
    ),
  }),
});

/** All that are served when none are named. */
export function requestedScores(types: string | undefined, served: readonly ScoreId[]): readonly ScoreId[] {
  if (types === undefined) return served;
  const isServed = (text: string): text is ScoreId => isScoreId(text) && served.includes(text);
  return requestedIds(types, { parameter: 'types', isServed, advice: () => `the scores are ${served.join(', ')}` });
}
