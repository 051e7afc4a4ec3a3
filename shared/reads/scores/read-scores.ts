// Reading scores: those of a range of days, or why a day has none; explained, when asked, by the days they were made from.

import type { ScoreId } from '../../catalog/score-ids.ts';
import { type NoScore, noData } from '../../catalog/score-states.ts';
import { scoreRow } from '../../catalog/score-table.ts';
import {
  asOf,
  computedMsOf,
  type ScoreDay,
  type StoredScoreDay,
  scoreRows,
} from '../../measurements/rows/score-rows.ts';
import type { Score } from '../../measurements/score.ts';
import { datesInRange, todayIn } from '../../platform/time/local-day.ts';
import { ageOf, notApplicableAt } from '../../scores/ages.ts';
import { atMost } from '../../scores/confidence.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { Subject } from '../../users/subject.ts';
import type { UserRow } from '../../users/user-rows.ts';
import { type AskedRange, type Range, rangeIn, widestRange } from '../kit/range.ts';
import { ownSubjectAnd } from '../kit/reader.ts';
import { type Explained, explainer, judgedDays, nothingJudged } from './score-explanations.ts';

/** Which values are told what they were made from. */
export type ExplainedValues = 'none' | 'newest' | 'all';

export interface ScoresAsked {
  range: AskedRange;
  scores: readonly ScoreId[];
  explained: ExplainedValues;
}

/** A value as it is read: of a day that is not over it may be provisional. */
export interface ReadScore extends Omit<Score, 'factors'> {
  factors: Explained[];
  isProvisional: boolean;
  computedMs: number;
}
export const isValue = (entry: ReadScore | NoScore): entry is ReadScore => 'value' in entry;

export interface ScoresRead {
  range: Range;
  /** Every date of the range, the earliest first. */
  dates: string[];
  /** Those asked for, in that order, with an entry for every date. */
  columns: { id: ScoreId; entries: (ReadScore | NoScore)[] }[];
}

export async function readScores(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: asked, scores, explained }: ScoresAsked,
): Promise<ScoresRead> {
  const nowMs = deps.clock.now();
  const widest = widestRange(asked, nowMs);
  const [subject, [found, judged]] = await ownSubjectAnd(deps, caller, userId, () =>
    Promise.all([
      scoresStored(deps, userId, widest),
      explained === 'none' ? nothingJudged : judgedDays(deps, caller, userId, widest),
    ]),
  );
  const stored = await inOneGeneration(deps, subject, widest, found);
  const range = rangeIn(subject.user.timezone, asked, nowMs);
  const dates = datesInRange(range.from, range.to);
  const entryOn = entries(subject, stored, todayIn(subject.user.timezone, nowMs));
  const explain = explainer(judged, subject);
  return {
    range,
    dates,
    columns: scores.map((id) => {
      const column = dates.map((date) => entryOn(id, date));
      const newest = column.findLastIndex(isValue);
      return {
        id,
        entries: column.map((entry, at) => {
          const isWanted = explained === 'all' || (explained === 'newest' && at === newest);
          return isWanted && isValue(entry) ? { ...entry, factors: explain(id, dates[at] ?? '', entry) } : entry;
        }),
      };
    }),
  };
}

/** The values of each score, NaN where there is none, from rows that `scoresStored` has read. */
export async function scoreColumns(
  deps: Deps,
  subject: Subject,
  { scores, dates, widest }: { scores: readonly ScoreId[]; dates: readonly string[]; widest: Range },
  found: readonly StoredScoreDay[],
): Promise<Map<ScoreId, Float64Array>> {
  const today = todayIn(subject.user.timezone, deps.clock.now());
  const entryOn = entries(subject, await inOneGeneration(deps, subject, widest, found), today);
  const valueOn = (id: ScoreId, date: string): number => {
    const entry = entryOn(id, date);
    return isValue(entry) ? entry.value : Number.NaN;
  };
  return new Map(scores.map((id) => [id, Float64Array.from(dates, (date) => valueOn(id, date))]));
}

const inOneGeneration = async (
  deps: Deps,
  { user }: Subject,
  widest: Range,
  found: readonly StoredScoreDay[],
): Promise<readonly StoredScoreDay[]> =>
  found.some((row) => isBehind(row, user)) ? scoresStored(deps, user.id, widest, true) : found;

/** The user was moved to newer formulas after the row was read, or a replica is late: the row says so when it is read again. */
const isBehind = ({ current }: StoredScoreDay, { scoreGeneration }: UserRow): boolean =>
  current.generation < scoreGeneration;

/** One generation of the formulas for the whole answer, however far the work on the next one has come. */
function entries(
  { user }: Subject,
  stored: readonly StoredScoreDay[],
  today: string,
): (id: ScoreId, date: string) => ReadScore | NoScore {
  const days = new Map<string, ScoreDay>();
  for (const row of stored) {
    const day = asOf(row, user.scoreGeneration);
    if (day) days.set(day.date, day);
  }
  return (id, date) => {
    const day = days.get(date);
    const score = day?.scores.get(id);
    if (!day || !score) return day?.without.get(id) ?? notApplicableAt(id, ageOf(user.profile, date)) ?? noData;
    const isProvisional = scoreRow(id).growsWithTheDay && date >= today;
    const confidence = isProvisional ? atMost(score.confidence, 'medium') : score.confidence;
    return { ...score, confidence, isProvisional, computedMs: computedMsOf(day, id) };
  };
}

export async function scoresStored(
  { store }: Deps,
  userId: string,
  { from, to }: Range,
  consistent = false,
): Promise<StoredScoreDay[]> {
  const days: StoredScoreDay[] = [];
  for await (const day of scoreRows(store).between(userId, from, to, { consistent })) days.push(day);
  return days;
}
