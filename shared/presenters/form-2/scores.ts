// Scores in columns with the newest of the range, and in rows.
import { datesInRange } from '../../domain/time/local-day.ts';
import { form2ScoreIds, type Score, type ScoreColumns } from '../../model/scores.ts';
import type { ScoresAsked, ScoresRead } from '../../reads/scores.ts';
import { type FromToQuery, fromTo } from '../asked-range.ts';
import type { Face } from '../face.ts';
import { requestedScores, scoreRowsOf } from '../score-rows.ts';

export interface ScoresQuery extends FromToQuery {
  types?: string | undefined;
  include_factors: boolean;
}

export const form2Scores: Face<ScoresQuery, ScoresAsked, ScoresRead, ScoreColumns> = {
  asked: (query) => ({ range: fromTo(query), scores: requestedScores(query.types, form2ScoreIds) }),
  present({ range, scores, days }, { include_factors }) {
    const dates = datesInRange(range.from, range.to);
    const byDate = new Map(days.map((day) => [day.date, day]));
    const inOrder = dates.map((date) => byDate.get(date));
    const columns = scores.map((id) => ({ id, column: inOrder.map((day) => day?.scores.get(id) ?? null) }));
    const byId = <T>(of: (column: (Score | null)[]) => T) =>
      Object.fromEntries(columns.map(({ id, column }) => [id, of(column)]));
    return {
      from_date: range.from,
      to_date: range.to,
      dates,
      series: byId((column) => column.map((score) => score?.value ?? null)),
      latest: byId((column) => latestOf(dates, column)),
      ...(include_factors ? { factors: byId((column) => column.map((score) => score?.factors ?? null)) } : {}),
    };
  },
};

function latestOf(dates: readonly string[], scores: readonly (Score | null)[]) {
  const at = scores.findLastIndex((score) => score !== null);
  const [date, newest] = [dates[at], scores[at]];
  if (date === undefined || !newest) return null;
  return { date, value: newest.value, previous_value: scores[at - 1]?.value ?? null };
}

export const form2ScoreHistory = scoreRowsOf(form2ScoreIds);
