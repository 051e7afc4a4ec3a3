// Reading scores: in columns with the newest of the range, in rows, or only what is current.
import type { Deps } from '../domain/deps.ts';
import { datesInRange } from '../domain/time/local-day.ts';
import type { Caller } from '../model/account.ts';
import { isScoreId, type ScoreId, scoreIds } from '../model/score-ids.ts';
import { type CurrentScores, form2ScoreIds, type ScoreColumns, type ScoreHistory } from '../model/scores.ts';
import { timestamp } from '../model/time.ts';
import { type ScoreDay, scoreRows } from '../store/scores.ts';
import {
  type AskedRange,
  longestRangeDays,
  mustNotBeReversed,
  mustNotBeTooLong,
  rangeIn,
  widestRange,
} from './range.ts';
import { ownSubjectAnd } from './reader.ts';
import { requestedIds } from './requested-metrics.ts';

export interface ScoresQuery extends AskedRange {
  types?: string | undefined;
  include_factors: boolean;
}

export async function readScores(
  deps: Deps,
  caller: Caller,
  userId: string,
  query: ScoresQuery,
): Promise<ScoreColumns> {
  const ids = requestedScores(query.types, caller);
  const nowMs = deps.clock.now();
  const widest = widestRange(query, nowMs);
  const [{ user }, days] = await ownSubjectAnd(deps, caller, userId, () => daysOf(deps, userId, widest));
  const { from, to } = rangeIn(user.timezone, query, nowMs);
  const dates = datesInRange(from, to);
  const inOrder = dates.map((date) => days.get(date));
  const columns = ids.map((id) => ({ id, scores: inOrder.map((day) => day?.scores.get(id) ?? null) }));
  const byId = <T>(of: (column: (typeof columns)[number]) => T) =>
    Object.fromEntries(columns.map((column) => [column.id, of(column)]));
  return {
    from_date: from,
    to_date: to,
    dates,
    series: byId(({ scores }) => scores.map((score) => score?.value ?? null)),
    latest: byId(({ scores }) => latestOf(dates, scores)),
    ...(query.include_factors ? { factors: byId(({ scores }) => scores.map((score) => score?.factors ?? null)) } : {}),
  };
}

function latestOf(dates: readonly string[], scores: readonly ({ value: number } | null)[]) {
  const at = scores.findLastIndex((score) => score !== null);
  const [date, newest] = [dates[at], scores[at]];
  if (date === undefined || !newest) return null;
  return { date, value: newest.value, previous_value: scores[at - 1]?.value ?? null };
}

export async function readScoreHistory(
  deps: Deps,
  caller: Caller,
  userId: string,
  { types, start_date, end_date }: { types?: string | undefined; start_date: string; end_date: string },
): Promise<ScoreHistory> {
  const ids = requestedScores(types, caller);
  mustNotBeReversed(start_date, end_date, ['start_date', 'end_date']);
  mustNotBeTooLong(start_date, end_date, longestRangeDays, 'start_date');
  const range = { from: start_date, to: end_date };
  const [, days] = await ownSubjectAnd(deps, caller, userId, () => daysOf(deps, userId, range));
  const rows = [...days.values()].flatMap(({ date, scores }) =>
    ids.flatMap((type) => {
      const score = scores.get(type);
      return score ? [{ date, type, value: score.value }] : [];
    }),
  );
  return { data: rows };
}

/** The newest value of each score within the days a read covers by default: what is older is not current. */
export async function readCurrentScores(deps: Deps, caller: Caller, userId: string): Promise<CurrentScores> {
  const nowMs = deps.clock.now();
  const [{ user }, days] = await ownSubjectAnd(deps, caller, userId, () =>
    daysOf(deps, userId, widestRange({}, nowMs)),
  );
  const { from, to } = rangeIn(user.timezone, {}, nowMs);
  const newestFirst = [...days.values()].filter(({ date }) => date >= from && date <= to).reverse();
  const current = scoresOf(caller).flatMap((type) => {
    const day = newestFirst.find(({ scores }) => scores.has(type));
    const score = day?.scores.get(type);
    return day && score ? [{ type, ...score, computed_at: timestamp(day.computedMs) }] : [];
  });
  return { data: current };
}

async function daysOf(
  { store }: Deps,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<ReadonlyMap<string, ScoreDay>> {
  const days = new Map<string, ScoreDay>();
  for await (const day of scoreRows(store).between(userId, from, to)) days.set(day.date, day);
  return days;
}

/** Which scores the caller's form of the contract has. */
const scoresOf = ({ form }: Caller): readonly ScoreId[] => (form === 1 ? scoreIds : form2ScoreIds);

function requestedScores(types: string | undefined, caller: Caller): readonly ScoreId[] {
  const served = scoresOf(caller);
  if (types === undefined) return served;
  const isServed = (text: string): text is ScoreId => isScoreId(text) && served.includes(text);
  return requestedIds(types, { parameter: 'types', isServed, advice: () => `the scores are ${served.join(', ')}` });
}
