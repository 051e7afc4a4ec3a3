// Limits how often the scores of a day change. The first value of a score is written at once. Later
// changes of the day are throttled: the first three wait at least five minutes each, the others at
// least four hours.

import { type ScoreId, scoreIds } from '../../catalog/score-ids.ts';
import { computedMsOf, type ScoreDay, type ScorePace } from '../../measurements/rows/score-rows.ts';
import type { Score } from '../../measurements/score.ts';
import { addDays, dayBounds } from '../../platform/time/local-day.ts';
import type { Environment } from '../../system/caller.ts';

const minuteMs = 60_000;
export const quickChanges = 3;
export const quickIntervalMs = 5 * minuteMs;
export const slowIntervalMs = 240 * minuteMs;
export const sandboxIntervalMs = minuteMs;

export interface ThrottledUser {
  env: Environment;
  timezone: string | null;
}

/** Returns when the scores of this day may change again. */
export function nextChangeMs(user: ThrottledUser, date: string, pace: ScorePace): number {
  const quickMs = user.env === 'sandbox' ? sandboxIntervalMs : quickIntervalMs;
  const intervalMs = user.env === 'live' && pace.changes >= quickChanges ? slowIntervalMs : quickMs;
  return Math.min(pace.lastMs + intervalMs, unthrottledFromMs(user, date));
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
  { nowMs, isAtOnce }: { nowMs: number; isAtOnce: boolean },
): ThrottledDay {
  const pace = getPace(before);
  const changedIds = scoreIds.filter((id) => serializeScore(before, id) !== serializeScore(computed, id));
  const isFirst = (id: ScoreId) => !before?.scores.has(id) && !pace.lostScores.includes(id);
  const mayChange = isAtOnce || nowMs >= nextChangeMs(user, computed.date, pace);
  const throttled = mayChange ? [] : changedIds.filter((id) => !isFirst(id));
  const changed = changedIds.filter((id) => !throttled.includes(id));
  const day = before && throttled.length > 0 ? keepScores(before, computed, throttled) : computed;
  const countsAsChange = !isAtOnce && changed.some((id) => !isFirst(id));
  const next: ScorePace = {
    changes: pace.changes + (countsAsChange ? 1 : 0),
    lastMs: changed.length > 0 ? nowMs : pace.lastMs,
    // A score that was lost through settings may return at once.
    lostScores: isAtOnce ? [] : scoreIds.filter((id) => !isFirst(id) && !day.scores.has(id)),
  };
  const isThrottled = nowMs < unthrottledFromMs(user, computed.date) && day.scores.size + next.lostScores.length > 0;
  return {
    day: isThrottled ? { ...day, pace: next } : day,
    changed,
    throttledUntilMs: throttled.length > 0 ? nextChangeMs(user, computed.date, next) : null,
  };
}

/** A day stored without a pace counts as last changed when it was computed. */
const getPace = (before: ScoreDay | undefined): ScorePace =>
  before?.pace ?? { changes: 0, lastMs: before?.computedMs ?? 0, lostScores: [] };

const serializeScore = (day: ScoreDay | undefined, id: ScoreId): string | undefined =>
  JSON.stringify(day?.scores.get(id));

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
