// Reading scores: those of a range of days.
import type { Deps } from '../domain/deps.ts';
import type { Caller } from '../model/account.ts';
import type { ScoreId } from '../model/score-ids.ts';
import { type ScoreDay, scoreRows } from '../store/scores.ts';
import { type AskedRange, type Range, rangeIn, widestRange } from './range.ts';
import { ownSubjectAnd } from './reader.ts';

export interface ScoresAsked {
  range: AskedRange;
  scores: readonly ScoreId[];
}

export interface ScoresRead {
  range: Range;
  /** Those asked for, in that order; a day may have others too. */
  scores: readonly ScoreId[];
  /** The days that have any score, the earliest first. */
  days: ScoreDay[];
}

export async function readScores(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: asked, scores }: ScoresAsked,
): Promise<ScoresRead> {
  const nowMs = deps.clock.now();
  const widest = widestRange(asked, nowMs);
  const [{ user }, days] = await ownSubjectAnd(deps, caller, userId, () => daysOf(deps, userId, widest));
  const range = rangeIn(user.timezone, asked, nowMs);
  return { range, scores, days: days.filter(({ date }) => date >= range.from && date <= range.to) };
}

async function daysOf({ store }: Deps, userId: string, { from, to }: Range): Promise<ScoreDay[]> {
  const days: ScoreDay[] = [];
  for await (const day of scoreRows(store).between(userId, from, to)) days.push(day);
  return days;
}
