// Scores in rows, which both forms show alike; each says which scores it has.
import { isScoreId, type ScoreId } from '../model/score-ids.ts';
import type { ScoreHistory } from '../model/scores.ts';
import type { ScoresAsked, ScoresRead } from '../reads/scores.ts';
import { type StartEndQuery, startEnd } from './asked-range.ts';
import type { Face } from './face.ts';
import { requestedIds } from './requested-ids.ts';

export interface ScoreHistoryQuery extends StartEndQuery {
  types?: string | undefined;
}

export const scoreRowsOf = (
  served: readonly ScoreId[],
): Face<ScoreHistoryQuery, ScoresAsked, ScoresRead, ScoreHistory> => ({
  asked: (query) => ({ range: startEnd(query), scores: requestedScores(query.types, served) }),
  present: ({ scores, days }) => ({
    data: days.flatMap((day) =>
      scores.flatMap((type) => {
        const score = day.scores.get(type);
        return score ? [{ date: day.date, type, value: score.value }] : [];
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
