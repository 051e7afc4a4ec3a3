// Reads the scores of a range of days, or the reason why a day has none, optionally explained by
// the days they were computed from.

import type { ScoreId } from '../../catalog/score-ids.ts';
import { type NoScore, noData } from '../../catalog/score-states.ts';
import { scoreRow } from '../../catalog/score-table.ts';
import {
  computedMsOf,
  type ScoreDay,
  type StoredScoreDay,
  scoreRows,
  unpackScoreDay,
} from '../../measurements/rows/score-rows.ts';
import type { Score } from '../../measurements/score.ts';
import { datesInRange, todayIn } from '../../platform/time/local-day.ts';
import { checkScoreAge, getAge } from '../../scores/age-limits.ts';
import { lowestConfidence } from '../../scores/confidence.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { UserContext } from '../../users/user-context.ts';
import type { UserRow } from '../../users/user-rows.ts';
import { type Range, type RequestedRange, resolveRange, resolveWidestRange } from '../kit/range.ts';
import { readWithAuthorizedUser } from '../kit/reader.ts';
import { createExplainer, type ExplainableFactor, noScoringDays, readScoringDays } from './score-explanations.ts';

/** Which values are explained. */
export type ExplainedValues = 'none' | 'newest' | 'all';

export interface ScoresRequest {
  range: RequestedRange;
  scores: readonly ScoreId[];
  explanations: ExplainedValues;
}

/** A value as read: it may be provisional while its day is not over. */
export interface ScoreResult extends Omit<Score, 'factors'> {
  factors: ExplainableFactor[];
  isProvisional: boolean;
  computedMs: number;
}
export const isScoreResult = (entry: ScoreResult | NoScore): entry is ScoreResult => 'value' in entry;

export interface ScoresResult {
  range: Range;
  /** The time zone of the days; null means UTC. */
  zone: string | null;
  /** Every date of the range, earliest first. */
  dates: string[];
  /** The requested scores in the requested order, with an entry for every date. */
  columns: { id: ScoreId; entries: (ScoreResult | NoScore)[] }[];
}

export async function readScores(
  deps: Deps,
  caller: Caller,
  userId: string,
  { range: requested, scores, explanations }: ScoresRequest,
): Promise<ScoresResult> {
  const nowMs = deps.clock.now();
  const widest = resolveWidestRange(requested, nowMs);
  const [userContext, [firstRead, scoringDays]] = await readWithAuthorizedUser(deps, caller, userId, () =>
    Promise.all([
      readStoredScores(deps, userId, widest),
      explanations === 'none' ? noScoringDays : readScoringDays(deps, caller, userId, widest),
    ]),
  );
  const storedDays = await readSameGeneration(deps, userContext, widest, firstRead);
  const range = resolveRange(userContext.user.timezone, requested, nowMs);
  const dates = datesInRange(range.from, range.to);
  const getEntry = createEntryLookup(userContext, storedDays, todayIn(userContext.user.timezone, nowMs));
  const explain = createExplainer(scoringDays, userContext);
  return {
    range,
    zone: userContext.user.timezone,
    dates,
    columns: scores.map((id) => {
      const column = dates.map((date) => getEntry(id, date));
      const newest = column.findLastIndex(isScoreResult);
      return {
        id,
        entries: column.map((entry, at) => {
          const shouldExplain = explanations === 'all' || (explanations === 'newest' && at === newest);
          return shouldExplain && isScoreResult(entry)
            ? { ...entry, factors: explain(id, dates[at] ?? '', entry) }
            : entry;
        }),
      };
    }),
  };
}

/**
 * Returns the values of each score, NaN where there is none, from rows that `readStoredScores`
 * returned.
 */
export async function buildScoreColumns(
  deps: Deps,
  userContext: UserContext,
  { scores, dates, widest }: { scores: readonly ScoreId[]; dates: readonly string[]; widest: Range },
  firstRead: readonly StoredScoreDay[],
): Promise<Map<ScoreId, Float64Array>> {
  const today = todayIn(userContext.user.timezone, deps.clock.now());
  const getEntry = createEntryLookup(
    userContext,
    await readSameGeneration(deps, userContext, widest, firstRead),
    today,
  );
  const getValue = (id: ScoreId, date: string): number => {
    const entry = getEntry(id, date);
    return isScoreResult(entry) ? entry.value : Number.NaN;
  };
  return new Map(scores.map((id) => [id, Float64Array.from(dates, (date) => getValue(id, date))]));
}

const readSameGeneration = async (
  deps: Deps,
  { user }: UserContext,
  widest: Range,
  firstRead: readonly StoredScoreDay[],
): Promise<readonly StoredScoreDay[]> =>
  firstRead.some((row) => isOutdated(row, user)) ? readStoredScores(deps, user.id, widest, true) : firstRead;

/**
 * The user was migrated to newer formulas after the row was read, or a replica is behind: reading
 * the row again returns the new version.
 */
const isOutdated = ({ current }: StoredScoreDay, { scoreGeneration }: UserRow): boolean =>
  current.generation < scoreGeneration;

/**
 * The whole response uses one generation of the formulas, regardless of how far a migration to the
 * next one has progressed.
 */
function createEntryLookup(
  { user }: UserContext,
  storedDays: readonly StoredScoreDay[],
  today: string,
): (id: ScoreId, date: string) => ScoreResult | NoScore {
  const days = new Map<string, ScoreDay>();
  for (const row of storedDays) {
    const day = unpackScoreDay(row, user.scoreGeneration);
    if (day) days.set(day.date, day);
  }
  return (id, date) => {
    const day = days.get(date);
    const score = day?.scores.get(id);
    if (!day || !score) return day?.without.get(id) ?? checkScoreAge(id, getAge(user.profile, date)) ?? noData;
    const isProvisional = scoreRow(id).provisionalUntilMidnight && date >= today;
    const confidence = isProvisional ? lowestConfidence(score.confidence, 'medium') : score.confidence;
    return { ...score, confidence, isProvisional, computedMs: computedMsOf(day, id) };
  };
}

export async function readStoredScores(
  { store }: Deps,
  userId: string,
  { from, to }: Range,
  consistent = false,
): Promise<StoredScoreDay[]> {
  const days: StoredScoreDay[] = [];
  for await (const day of scoreRows(store).iterateBetween(userId, from, to, { consistent })) days.push(day);
  return days;
}
