// Limits how often each score of a day changes. The first value of a score is written at once. Of its
// later changes, the first two wait at least five minutes each, the others at least six hours. A
// main sleep that ends later than the one that was scored counts as a first value.

import { type ScoreId, scoreIds } from '../../catalog/score-ids.ts';
import {
  computedMsOf,
  type ScoreChangeCount,
  type ScoreDay,
  type ScorePace,
} from '../../measurements/rows/score-rows.ts';
import type { Score } from '../../measurements/score.ts';
import { addDays, dayBounds } from '../../platform/time/local-day.ts';

const minuteMs = 60_000;
export const quickChanges = 2;
export const quickIntervalMs = 5 * minuteMs;
export const slowIntervalMs = 360 * minuteMs;
/**
 * How many later main sleeps of a day are written at once. A source that extends one night with
 * every upload must not change scores without limit.
 */
export const maxLaterSleeps = 3;

/** These are computed from the night; the first two from nothing else. */
const nightScores: readonly ScoreId[] = ['sleep_score', 'recovery_score', 'stress_score', 'energy_reserve_score'];
const sleepScores = nightScores.slice(0, 2);

export interface ThrottledUser {
  timezone: string | null;
}

/** Returns when a score of this day may change again. */
export function nextChangeMs(user: ThrottledUser, date: string, { changes, lastMs }: ScoreChangeCount): number {
  const intervalMs = changes >= quickChanges ? slowIntervalMs : quickIntervalMs;
  return Math.min(lastMs + intervalMs, unthrottledFromMs(user, date));
}

/** From this time on the day is before yesterday, and its corrections are not throttled. */
const unthrottledFromMs = ({ timezone }: ThrottledUser, date: string): number =>
  // Dates have four-digit years.
  date > '9998' ? Number.POSITIVE_INFINITY : dayBounds(addDays(date, 1), timezone).endMs;

export interface ThrottledDay {
  /** The day to store, in which a throttled score stays unchanged. */
  day: ScoreDay;
  /** The scores whose value or factors change with it. */
  changed: ScoreId[];
  /** When the throttled changes may be written; null when there are none. */
  throttledUntilMs: number | null;
}

export function throttleDay(
  user: ThrottledUser,
  /** The stored day; undefined if there is none. */
  before: ScoreDay | undefined,
  computed: ScoreDay,
  { nowMs, isAtOnce, mainSleepEndMs }: { nowMs: number; isAtOnce: boolean; mainSleepEndMs: number | null },
): ThrottledDay {
  const { date } = computed;
  const pace = getPace(before);
  const changedIds = findChangedScores(before, computed);
  const isLaterSleep = !isAtOnce && hasLaterSleep(pace, mainSleepEndMs);
  const isFirst = (id: ScoreId) => !pace.scores.has(id) || (isLaterSleep && nightScores.includes(id));
  const dueMs = (id: ScoreId) => nextChangeMs(user, date, pace.scores.get(id) ?? { changes: 0, lastMs: 0 });
  const throttled = isAtOnce ? [] : changedIds.filter((id) => !isFirst(id) && nowMs < dueMs(id));
  const changed = changedIds.filter((id) => !throttled.includes(id));
  const day = before && throttled.length > 0 ? keepScores(before, computed, throttled) : computed;
  const counts = new Map(pace.scores);
  for (const id of changed)
    counts.set(id, {
      changes: (counts.get(id)?.changes ?? 0) + (isAtOnce || isFirst(id) ? 0 : 1),
      lastMs: nowMs,
    });
  // A score that settings removed may return at once, and one that lost its data may not.
  if (isAtOnce) for (const id of scoreIds) if (!day.scores.has(id)) counts.delete(id);
  const next: ScorePace = {
    scores: counts,
    sleepEndMs: mainSleepEndMs ?? pace.sleepEndMs,
    laterSleeps: pace.laterSleeps + (isLaterSleep && changed.some((id) => nightScores.includes(id)) ? 1 : 0),
  };
  const isThrottled = nowMs < unthrottledFromMs(user, date) && counts.size > 0;
  return {
    day: isThrottled ? { ...day, pace: next } : day,
    changed,
    throttledUntilMs: throttled.length > 0 ? Math.min(...throttled.map(dueMs)) : null,
  };
}

/** Whether it matters when the main sleep of the day ended: it is read only then. */
export const needsMainSleep = (
  user: ThrottledUser,
  before: ScoreDay | undefined,
  computed: ScoreDay,
  { nowMs, isAtOnce }: { nowMs: number; isAtOnce: boolean },
): boolean =>
  !isAtOnce &&
  nowMs < unthrottledFromMs(user, computed.date) &&
  findChangedScores(before, computed).some((id) => sleepScores.includes(id));

const findChangedScores = (before: ScoreDay | undefined, computed: ScoreDay): ScoreId[] =>
  scoreIds.filter((id) => serializeScore(before, id) !== serializeScore(computed, id));

const hasLaterSleep = ({ scores, sleepEndMs, laterSleeps }: ScorePace, mainSleepEndMs: number | null): boolean =>
  nightScores.some((id) => scores.has(id)) &&
  (mainSleepEndMs ?? Number.NEGATIVE_INFINITY) > (sleepEndMs ?? Number.NEGATIVE_INFINITY) &&
  laterSleeps < maxLaterSleeps;

/** The scores of a day stored without a pace count as last changed when they were computed. */
const getPace = (before: ScoreDay | undefined): ScorePace =>
  before?.pace ?? {
    scores: new Map(
      before ? Array.from(before.scores.keys(), (id) => [id, { changes: 0, lastMs: computedMsOf(before, id) }]) : [],
    ),
    sleepEndMs: null,
    laterSleeps: 0,
  };

/** The version of the formula is left out: a score that a new formula does not change is unchanged. */
function serializeScore(day: ScoreDay | undefined, id: ScoreId): string | undefined {
  const score = day?.scores.get(id);
  return score && JSON.stringify({ ...score, version: null });
}

/**
 * Returns the computed day, except that these scores keep their previous value and computation
 * time.
 */
function keepScores(before: ScoreDay, computed: ScoreDay, ids: readonly ScoreId[]): ScoreDay {
  const scores = new Map<ScoreId, Score>();
  const earlierMs = new Map<ScoreId, number>();
  const without = new Map(computed.without);
  for (const id of scoreIds) {
    const isKept = ids.includes(id);
    const score = (isKept ? before : computed).scores.get(id);
    if (score) scores.set(id, score);
    if (!isKept) continue;
    const reason = before.without.get(id);
    if (reason) without.set(id, reason);
    else without.delete(id);
    if (score) earlierMs.set(id, computedMsOf(before, id));
  }
  return { ...computed, scores, without, earlierMs };
}
