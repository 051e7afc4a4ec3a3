// Computes the scores that follow from a pass: of days that changed, and of days that are due.
// Postponed days, and days beyond the limit of a pass, stay on the user's row. Changes to recent
// days are throttled (`throttle-scores.ts`).

import { scoringGeneration } from '../../catalog/score-table.ts';
import { dataEvent } from '../../events/new-event.ts';
import { allDays, type DateSpan } from '../../measurements/date-span.ts';
import { scoreRows } from '../../measurements/rows/score-rows.ts';
import { noBaseline, seededBaselineRows } from '../../measurements/rows/seeded-baseline-rows.ts';
import { chunkArray } from '../../platform/chunk-array.ts';
import { outlineError } from '../../platform/error-outline.ts';
import { EngineUnavailable, type Write } from '../../platform/ports.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import type { Deps } from '../../system/deps.ts';
import { commitConditionally } from '../../system/store.ts';
import {
  findScoresDueMs,
  type PendingDays,
  type PendingScores,
  type UnannouncedScores,
} from '../../users/pending-scores.ts';
import type { UserContext } from '../../users/user-context.ts';
import { type UserRow, userRows } from '../../users/user-rows.ts';
import { PassConflict } from '../command-handler.ts';
import { computeDueSpans, remainingFrom, selectDueDays } from './due-days.ts';
import { dropPreviousFormulas, trackPreviousFormulas } from './previous-formulas.ts';
import { mergeThrottled, type ScoreChange, type ScoredSpan, scoreSpan } from './score-span.ts';
import { addUnannouncedChange } from './unannounced-scores.ts';

/** Applies regardless of the length of a user's history. */
export const maxDaysPerPass = 400;
/** The rows in the transaction that ends a pass, next to its commands and events. */
const maxRowsInCommit = 40;
const rowsPerWrite = 90;
/** Scores that cannot be computed do not block data: they are retried after this time. */
const retryAfterFailureMs = 15 * 60_000;

export interface ScoringResult extends Pick<UserRow, 'lastScoreMs' | 'scoreGeneration' | 'scores'> {
  /** The current user row: rows may have been written ahead, with the progress recorded on it. */
  user: UserRow;
  /** The writes for the transaction that ends the pass. */
  writes: Write[];
}

export async function scoreDays(
  deps: Deps,
  userContext: UserContext,
  changed: readonly PendingDays[],
): Promise<ScoringResult> {
  const { user } = userContext;
  const { scores, lastScoreMs, scoreGeneration } = user;
  const unchanged = { user, writes: [], lastScoreMs, scoreGeneration };
  const pending = [...scores.days, ...changed];
  const nowMs = deps.clock.now();
  if ((findScoresDueMs({ ...scores, days: pending }) ?? nowMs + 1) > nowMs) return { ...unchanged, scores };
  try {
    return await scorePendingDays(deps, userContext, pending, nowMs);
  } catch (error) {
    if (error instanceof EngineUnavailable || error instanceof PassConflict) throw error;
    deps.log('error', 'scoring_failed', { user_id: user.id, cause: outlineError(error) });
    return { ...unchanged, scores: postponeScores({ ...scores, days: pending }, nowMs + retryAfterFailureMs) };
  }
}

const postponeScores = ({ days, previousFormulas, ...rest }: PendingScores, dueMs: number): PendingScores => ({
  ...rest,
  days: days.map((each) => ({ ...each, dueMs })),
  previousFormulas: previousFormulas && { ...previousFormulas, dueMs },
});

async function scorePendingDays(
  deps: Deps,
  userContext: UserContext,
  pending: readonly PendingDays[],
  nowMs: number,
): Promise<ScoringResult> {
  const { user } = userContext;
  const { scores } = user;
  const due = selectDueDays(pending, nowMs);
  const fullHistory = findPendingHistory(user);
  const wanted = fullHistory ? [...due, fullHistory] : due;
  const immediateSpans = computeDueSpans(wanted.filter((each) => each.atOnce));
  const isAtOnce = (date: string) => immediateSpans.some(({ from, to }) => from <= date && date <= to);
  const result = await scoreSpans(deps, userContext, computeDueSpans(wanted), isAtOnce);
  const { changes, resumeFrom: before, throttled } = result;
  const unannounced = changes.reduce(addUnannouncedChange, scores.unannounced);
  const isComplete = before === undefined;
  const finalChanges = changes.slice(-maxRowsInCommit);
  const earlyChanges = changes.slice(0, changes.length - finalChanges.length);
  // Rows that are written ahead are not among the changes of a repeated pass.
  const previousFormulas = fullHistory
    ? trackPreviousFormulas(changes, scores.previousFormulas, nowMs)
    : scores.previousFormulas;
  const updatedUser = await writeAhead(deps, user, earlyChanges, { unannounced, previousFormulas });
  const remaining: PendingScores = {
    days: mergeDays([
      ...pending.filter((each) => !due.includes(each)),
      ...(before === undefined ? [] : remainingFrom(wanted, before).map((each) => ({ ...each, dueMs: 0 }))),
      ...(throttled ? [{ from: throttled.from, to: throttled.to, dueMs: throttled.untilMs, atOnce: false }] : []),
    ]),
    unannounced: before === undefined ? null : unannounced,
    migration: fullHistory && before !== undefined ? { generation: scoringGeneration, before } : null,
    previousFormulas: fullHistory ? previousFormulas : await dropPreviousFormulas(deps, user, nowMs),
  };
  if (isComplete) logScored(deps, user, unannounced, result);
  return {
    user: updatedUser,
    lastScoreMs: await computeLastScoreMs(deps, user, result, nowMs),
    scoreGeneration: isComplete ? scoringGeneration : user.scoreGeneration,
    scores: remaining,
    writes: [
      ...finalChanges.map(({ day }) => scoreRows(deps.store).buildStore(user.id, day)),
      ...(isComplete && unannounced
        ? dataEvent(deps, 'score.updated', user, {
            more: { scores: unannounced.scores, from_date: unannounced.from, to_date: unannounced.to },
          })
        : []),
    ],
  };
}

/** Returns the rest of the history while readers still see the scores of other formulas. */
function findPendingHistory({ scoreGeneration, scores: { migration } }: UserRow): PendingDays | undefined {
  if (scoreGeneration === scoringGeneration) return undefined;
  const from = migration?.generation === scoringGeneration ? migration.before : allDays.from;
  return { from, to: allDays.to, dueMs: 0, atOnce: true };
}

async function scoreSpans(
  deps: Deps,
  userContext: UserContext,
  spans: readonly DateSpan[],
  isAtOnce: (date: string) => boolean,
): Promise<ScoredSpan> {
  const { user } = userContext;
  const seeded = user.env === 'sandbox' ? await seededBaselineRows(deps.store).get(user.id) : noBaseline;
  const sum: ScoredSpan = { changes: [], throttled: null, days: 0, hasValue: false, resumeFrom: undefined };
  for (const span of spans) {
    if (sum.days >= maxDaysPerPass) return { ...sum, resumeFrom: span.from };
    const maxDays = maxDaysPerPass - sum.days;
    const result = await scoreSpan(deps, userContext, span, { maxDays, isAtOnce, seeded });
    sum.changes.push(...result.changes);
    sum.throttled = mergeThrottled(sum.throttled, result.throttled);
    sum.days += result.days;
    sum.hasValue ||= result.hasValue;
    if (result.resumeFrom) return { ...sum, resumeFrom: result.resumeFrom };
  }
  return sum;
}

/**
 * Writes the rows that do not fit the transaction that ends the pass, and records the progress with
 * them.
 */
async function writeAhead(
  { store }: Deps,
  read: UserRow,
  changes: readonly ScoreChange[],
  progress: Pick<PendingScores, 'unannounced' | 'previousFormulas'>,
): Promise<UserRow> {
  let user = read;
  for (const chunk of chunkArray(changes, rowsPerWrite)) {
    const updated = { ...user, scores: { ...user.scores, ...progress } };
    const rows = chunk.map(({ day }) => scoreRows(store).buildStore(user.id, day));
    if (!(await commitConditionally(store, [userRows(store).buildFinishPass(user, updated), ...rows])))
      throw new PassConflict();
    user = { ...updated, fence: user.fence + 1 };
  }
  return user;
}

/** Merges overlapping spans that are due at the same time. */
function mergeDays(days: readonly PendingDays[]): PendingDays[] {
  const mergedDays: PendingDays[] = [];
  for (const each of days.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = mergedDays.at(-1);
    if (last && last.dueMs === each.dueMs && last.atOnce === each.atOnce && each.from <= last.to)
      mergedDays[mergedDays.length - 1] = { ...last, to: each.to > last.to ? each.to : last.to };
    else mergedDays.push(each);
  }
  return mergedDays;
}

/**
 * Null while no score has a value. The other days are read only if the user had a value and none of
 * the scored days has one.
 */
async function computeLastScoreMs(
  { store }: Deps,
  user: UserRow,
  { hasValue, days, changes, throttled }: ScoredSpan,
  now: number,
): Promise<number | null> {
  // Readers still see what was computed earlier.
  if (throttled && changes.every(({ changedScores }) => changedScores.length === 0)) return user.lastScoreMs;
  if (hasValue) return now;
  if (user.lastScoreMs === null || days === 0) return user.lastScoreMs;
  // Some of these days are still stored in their old state.
  const changing = new Set(changes.map(({ day }) => day.date));
  return (await scoreRows(store).hasValueOutside(user.id, changing)) ? now : null;
}

/** Passes that change no score are not logged: most uploads are like that. */
function logScored(
  deps: Deps,
  user: UserRow,
  unannounced: UnannouncedScores | null,
  { days, throttled }: ScoredSpan,
): void {
  if (!unannounced && user.scoreGeneration === scoringGeneration) return;
  deps.log('info', 'scored', {
    user_id: user.id,
    from: unannounced?.from ?? null,
    to: unannounced?.to ?? null,
    days,
    throttled_until: throttled ? formatTimestamp(throttled.untilMs) : null,
    scoring_generation: user.scoreGeneration === scoringGeneration ? null : scoringGeneration,
  });
}
