// Scores the days of a span, so many at a time, and says which of them are to be stored anew, which scores are to be told of, and what has to wait.

import type { ScoreId } from '../../catalog/score-ids.ts';
import { scoringGeneration } from '../../catalog/score-table.ts';
import { type CanonicalRow, unpackCanonicalRow } from '../../measurements/codec/canonical-day.ts';
import type { DateSpan } from '../../measurements/every-day.ts';
import { dayRows } from '../../measurements/rows/day-rows.ts';
import {
  asOf,
  isEmpty,
  packDay,
  packedAsOf,
  type ScoreDay,
  type StoredScoreDay,
  scoreRows,
} from '../../measurements/rows/score-rows.ts';
import type { SeededBaseline } from '../../measurements/rows/seeded-baseline-rows.ts';
import { type DayScores, reachDays, scorer, withBaseline } from '../../scores/day-scores.ts';
import type { Deps } from '../../system/deps.ts';
import type { UserRow } from '../../users/user-rows.ts';
import { lookedAt } from './due-days.ts';
import { paceDay } from './pace.ts';

export interface ScoreChange {
  day: StoredScoreDay;
  /** The scores whose value or explanation changed. */
  told: ScoreId[];
}

/** Days with changes that wait, and until when. */
export interface HeldDays extends DateSpan {
  untilMs: number;
}

export interface ScoredSpan {
  changes: ScoreChange[];
  held: HeldDays | null;
  /** How many days there are. */
  days: number;
  /** Whether any of them has a value when this is stored. */
  hasValue: boolean;
  /** Everything before this day is done; undefined when the whole span is. */
  before: string | undefined;
}

/** Both together. */
export function holding(held: HeldDays | null, more: HeldDays | null): HeldDays | null {
  if (!held || !more) return held ?? more;
  return {
    from: held.from < more.from ? held.from : more.from,
    to: held.to > more.to ? held.to : more.to,
    untilMs: Math.min(held.untilMs, more.untilMs),
  };
}

export async function scoredSpan(
  deps: Deps,
  user: UserRow,
  span: DateSpan,
  { mostDays, isAtOnce, seeded }: { mostDays: number; isAtOnce: (date: string) => boolean; seeded: SeededBaseline },
): Promise<ScoredSpan> {
  const { store, clock } = deps;
  const canonical = new Map<string, CanonicalRow>();
  const stored = new Map<string, StoredScoreDay>();
  const looked = lookedAt(span);
  const data = dayRows(store).canonicalBetween(user.id, looked.from, looked.to, {
    consistent: true,
    rowsAPage: mostDays + reachDays + 1,
  });
  const dataCut = await upTo(mostDays, span.from, data, ({ date, packed }) =>
    canonical.set(date, unpackCanonicalRow(packed)),
  );
  const rows = scoreRows(store).between(user.id, span.from, dataCut ?? span.to, {
    consistent: true,
    rowsAPage: mostDays + 1,
  });
  const rowsCut = await upTo(mostDays, span.from, rows, (day) => stored.set(day.date, day));
  const before = rowsCut ?? dataCut;

  const { on } = scorer(withBaseline(canonical, seeded), user.profile);
  const dates = [...new Set([...canonical.keys(), ...stored.keys()])]
    .filter((date) => date >= span.from && (before === undefined || date < before))
    .sort();
  const changes: ScoreChange[] = [];
  let held: HeldDays | null = null;
  let hasValue = false;
  for (const date of dates) {
    const scores = canonical.has(date) ? on(date) : nothing;
    const nowMs = clock.now();
    const scored = { date, ...scores, computedMs: nowMs };
    const changed = changeOf(user, stored.get(date), scored, { nowMs, isAtOnce: isAtOnce(date) });
    hasValue ||= changed.hasValue;
    if (changed.change) changes.push(changed.change);
    if (changed.heldUntilMs !== null) held = holding(held, { from: date, to: date, untilMs: changed.heldUntilMs });
  }
  return { changes, held, days: dates.length, hasValue, before };
}

/** A day without data has no scores, and nothing that is to be said about them. */
const nothing: DayScores = { scores: new Map(), without: new Map() };

/** The first day that was left because there were too many from `from` on. */
async function upTo<Day extends { date: string }>(
  most: number,
  from: string,
  days: AsyncGenerator<Day>,
  take: (day: Day) => void,
): Promise<string | undefined> {
  let count = 0;
  for await (const day of days) {
    if (day.date >= from && count++ === most) return day.date;
    take(day);
  }
  return undefined;
}

interface ChangedDay {
  change: ScoreChange | undefined;
  heldUntilMs: number | null;
  /** Whether readers are shown any value of this day. */
  hasValue: boolean;
}

/** What readers are still shown stays beside it until the user is moved to these formulas. */
function changeOf(
  user: UserRow,
  stored: StoredScoreDay | undefined,
  scored: ScoreDay,
  { nowMs, isAtOnce }: { nowMs: number; isAtOnce: boolean },
): ChangedDay {
  const { date } = scored;
  const packed = packDay(scored, scoringGeneration);
  const isMoved = stored?.current.generation === scoringGeneration;
  const hasValue = scored.scores.size > 0;
  if (isMoved ? isSame(stored.current, packed) : !stored && isEmpty(packed))
    return { change: undefined, heldUntilMs: null, hasValue };
  const before = stored && shownDay(stored, isMoved ? scoringGeneration : user.scoreGeneration);
  // As it will be read, so that only what is stored is compared.
  const computed = shownDay({ date, current: packed, former: undefined }, scoringGeneration);
  const { day, changed, heldUntilMs } = paceDay(user, before, computed, { nowMs, isAtOnce: isAtOnce || !isMoved });
  const current = packDay(day, scoringGeneration);
  const isWritten = !isMoved || !isSame(stored.current, current);
  const isShown = user.scoreGeneration === scoringGeneration;
  const former = stored && !isShown ? packedAsOf(stored, user.scoreGeneration) : undefined;
  return {
    change: isWritten ? { day: { date, current, former }, told: changed } : undefined,
    heldUntilMs,
    hasValue: day.scores.size > 0,
  };
}

/** A row without scores may still know when they may change. */
const shownDay = (stored: StoredScoreDay, generation: number): ScoreDay =>
  asOf(stored, generation) ?? {
    date: stored.date,
    ...nothing,
    computedMs: stored.current.computedMs,
    ...(stored.current.pace ? { pace: stored.current.pace } : {}),
  };

type Packed = StoredScoreDay['current'];
const isSame = (a: Packed, b: Packed): boolean =>
  Buffer.compare(a.values, b.values) === 0 && Buffer.compare(a.notes ?? none, b.notes ?? none) === 0;
const none = new Uint8Array();
