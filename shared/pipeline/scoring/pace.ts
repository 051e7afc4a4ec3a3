// How often the scores of a day change. The first value of a score is written at once. Later changes
// of the day wait: the first three at least five minutes each, the others at least four hours.

import { type ScoreId, scoreIds } from '../../catalog/score-ids.ts';
import { computedMsOf, type ScoreDay, type ScorePace } from '../../measurements/rows/score-rows.ts';
import type { Score } from '../../measurements/score.ts';
import { addDays, dayBounds } from '../../platform/time/local-day.ts';
import type { Environment } from '../../system/caller.ts';

const minuteMs = 60_000;
export const quickChanges = 3;
export const quickGapMs = 5 * minuteMs;
export const slowGapMs = 240 * minuteMs;
export const sandboxGapMs = minuteMs;

export interface PacedUser {
  env: Environment;
  timezone: string | null;
}

/** When the scores of this day may change again. */
export function nextChangeMs(user: PacedUser, date: string, pace: ScorePace): number {
  const quick = user.env === 'sandbox' ? sandboxGapMs : quickGapMs;
  const gap = user.env === 'live' && pace.changes >= quickChanges ? slowGapMs : quick;
  return Math.min(pace.lastMs + gap, unpacedFromMs(user, date));
}

/** From then on the day lies before yesterday, and its corrections do not wait. */
const unpacedFromMs = ({ timezone }: PacedUser, date: string): number =>
  // The calendar ends with four digits.
  date > '9998' ? Number.POSITIVE_INFINITY : dayBounds(addDays(date, 1), timezone).endMs;

export interface PacedDay {
  /** What is to be stored: a score that has to wait is as it was. */
  day: ScoreDay;
  /** The scores whose value or factors change with it. */
  changed: ScoreId[];
  /** When what waits may be written; null when nothing waits. */
  heldUntilMs: number | null;
}

export function paceDay(
  user: PacedUser,
  /** As it is stored; undefined when nothing is. */
  before: ScoreDay | undefined,
  computed: ScoreDay,
  { nowMs, isAtOnce }: { nowMs: number; isAtOnce: boolean },
): PacedDay {
  const pace = paceOf(before);
  const differing = scoreIds.filter((id) => textOf(before, id) !== textOf(computed, id));
  const isFirst = (id: ScoreId) => !before?.scores.has(id) && !pace.gone.includes(id);
  const mayChange = isAtOnce || nowMs >= nextChangeMs(user, computed.date, pace);
  const held = mayChange ? [] : differing.filter((id) => !isFirst(id));
  const changed = differing.filter((id) => !held.includes(id));
  const day = before && held.length > 0 ? keeping(before, computed, held) : computed;
  const isTurn = !isAtOnce && changed.some((id) => !isFirst(id));
  const next: ScorePace = {
    changes: pace.changes + (isTurn ? 1 : 0),
    lastMs: changed.length > 0 ? nowMs : pace.lastMs,
    // What settings took away may come back at once.
    gone: isAtOnce ? [] : scoreIds.filter((id) => !isFirst(id) && !day.scores.has(id)),
  };
  const isPaced = nowMs < unpacedFromMs(user, computed.date) && day.scores.size + next.gone.length > 0;
  return {
    day: isPaced ? { ...day, pace: next } : day,
    changed,
    heldUntilMs: held.length > 0 ? nextChangeMs(user, computed.date, next) : null,
  };
}

/** A day that was not paced when it was stored counts as changed once, when it was computed. */
const paceOf = (before: ScoreDay | undefined): ScorePace =>
  before?.pace ?? { changes: 0, lastMs: before?.computedMs ?? 0, gone: [] };

const textOf = (day: ScoreDay | undefined, id: ScoreId): string | undefined => JSON.stringify(day?.scores.get(id));

/** The computed day, but with these scores as they were, and when they were computed. */
function keeping(before: ScoreDay, computed: ScoreDay, ids: readonly ScoreId[]): ScoreDay {
  const scores = new Map<ScoreId, Score>();
  const earlierMs = new Map<ScoreId, number>();
  const without = new Map(computed.without);
  for (const id of scoreIds) {
    const isKept = ids.includes(id);
    const score = (isKept ? before : computed).scores.get(id);
    if (score) scores.set(id, score);
    if (!isKept) continue;
    const note = before.without.get(id);
    if (note) without.set(id, note);
    else without.delete(id);
    if (score) earlierMs.set(id, computedMsOf(before, id));
  }
  return { ...computed, scores, without, earlierMs };
}
