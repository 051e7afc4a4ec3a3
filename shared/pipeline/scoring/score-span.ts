// Scores the days of a span, up to a maximum number, and determines which days to store, which
// score changes to announce, and what is throttled.

import { metricRow } from '../../catalog/metrics.ts';
import type { ScoreId } from '../../catalog/score-ids.ts';
import { scoringGeneration } from '../../catalog/score-table.ts';
import { type CanonicalRow, unpackCanonicalRow } from '../../measurements/codec/canonical-day.ts';
import type { DateSpan } from '../../measurements/date-span.ts';
import { dayRows } from '../../measurements/rows/day-rows.ts';
import {
  findPackedScoreDay,
  isEmptyScoreDay,
  packScoreDay,
  type ScoreDay,
  type StoredScoreDay,
  scoreRows,
  unpackScoreDay,
} from '../../measurements/rows/score-rows.ts';
import type { SeededBaseline } from '../../measurements/rows/seeded-baseline-rows.ts';
import { createScorer, type DayScores, reachDays, withSeededBaseline } from '../../scores/day-scores.ts';
import { maxNapMinutes } from '../../scores/sleep-score.ts';
import type { Deps } from '../../system/deps.ts';
import type { UserContext } from '../../users/user-context.ts';
import type { UserRow } from '../../users/user-rows.ts';
import { getInputSpan } from './due-days.ts';
import { createMainSleeps, type MainSleeps } from './main-sleeps.ts';
import { needsMainSleep, throttleDay } from './throttle-scores.ts';

export interface ScoreChange {
  day: StoredScoreDay;
  /** The scores whose value or explanation changed. */
  changedScores: ScoreId[];
}

/** Days with throttled changes, and until when. */
export interface ThrottledDays extends DateSpan {
  untilMs: number;
}

export interface ScoredSpan {
  changes: ScoreChange[];
  throttled: ThrottledDays | null;
  /** The number of days. */
  days: number;
  /** Whether any of the days has a value once this is stored. */
  hasValue: boolean;
  /** Everything before this day is done; undefined when the whole span is done. */
  resumeFrom: string | undefined;
}

export function mergeThrottled(throttled: ThrottledDays | null, more: ThrottledDays | null): ThrottledDays | null {
  if (!throttled || !more) return throttled ?? more;
  return {
    from: throttled.from < more.from ? throttled.from : more.from,
    to: throttled.to > more.to ? throttled.to : more.to,
    untilMs: Math.min(throttled.untilMs, more.untilMs),
  };
}

export async function scoreSpan(
  deps: Deps,
  userContext: UserContext,
  span: DateSpan,
  { maxDays, isAtOnce, seeded }: { maxDays: number; isAtOnce: (date: string) => boolean; seeded: SeededBaseline },
): Promise<ScoredSpan> {
  const { store, clock } = deps;
  const { user } = userContext;
  const canonical = new Map<string, CanonicalRow>();
  const stored = new Map<string, StoredScoreDay>();
  const inputSpan = getInputSpan(span);
  const data = dayRows(store).iterateCanonical(user.id, inputSpan.from, inputSpan.to, {
    consistent: true,
    rowsPerPage: maxDays + reachDays + 1,
  });
  const dataCut = await readUpTo(maxDays, span.from, data, ({ date, packed }) =>
    canonical.set(date, unpackCanonicalRow(packed)),
  );
  const rows = scoreRows(store).iterateBetween(user.id, span.from, dataCut ?? span.to, {
    consistent: true,
    rowsPerPage: maxDays + 1,
  });
  const rowsCut = await readUpTo(maxDays, span.from, rows, (day) => stored.set(day.date, day));
  const before = rowsCut ?? dataCut;

  const mainSleeps = createMainSleeps(deps, userContext);
  await mainSleeps.load(
    [...canonical].flatMap(([date, row]) => (date >= span.from && isShortSleep(row) ? [date] : [])),
  );
  const { scoreDay } = createScorer(
    withSeededBaseline(canonical, seeded),
    user.profile,
    (date) => mainSleeps.get(date) !== undefined,
  );
  const dates = [...new Set([...canonical.keys(), ...stored.keys()])]
    .filter((date) => date >= span.from && (before === undefined || date < before))
    .sort();
  const changes: ScoreChange[] = [];
  let throttled: ThrottledDays | null = null;
  let hasValue = false;
  for (const date of dates) {
    const scores = canonical.has(date) ? scoreDay(date) : noScores;
    const nowMs = clock.now();
    const scored = { date, ...scores, computedMs: nowMs };
    const changed = await computeChange(user, stored.get(date), scored, {
      nowMs,
      isAtOnce: isAtOnce(date),
      mainSleeps,
    });
    hasValue ||= changed.hasValue;
    if (changed.change) changes.push(changed.change);
    if (changed.throttledUntilMs !== null)
      throttled = mergeThrottled(throttled, { from: date, to: date, untilMs: changed.throttledUntilMs });
  }
  return { changes, throttled, days: dates.length, hasValue, resumeFrom: before };
}

const asleepIndex = metricRow('asleep').index;
/** Whether only the sessions of the day tell a night from a nap. */
const isShortSleep = ({ values }: CanonicalRow): boolean => (values[asleepIndex] ?? Number.NaN) < maxNapMinutes;

/** A day without data has no scores and no notes. */
const noScores: DayScores = { scores: new Map(), without: new Map() };

/**
 * Returns the first day that was not read because there are more than `maxCount` from `from` on.
 */
async function readUpTo<Day extends { date: string }>(
  maxCount: number,
  from: string,
  days: AsyncGenerator<Day>,
  take: (day: Day) => void,
): Promise<string | undefined> {
  let count = 0;
  for await (const day of days) {
    if (day.date >= from && count++ === maxCount) return day.date;
    take(day);
  }
  return undefined;
}

interface ScoredDayChange {
  change: ScoreChange | undefined;
  throttledUntilMs: number | null;
  /** Whether readers see any value of this day. */
  hasValue: boolean;
}

/**
 * The version that readers still see stays in the row until the user is migrated to these formulas.
 */
async function computeChange(
  user: UserRow,
  stored: StoredScoreDay | undefined,
  scored: ScoreDay,
  { nowMs, isAtOnce: isRequestedAtOnce, mainSleeps }: { nowMs: number; isAtOnce: boolean; mainSleeps: MainSleeps },
): Promise<ScoredDayChange> {
  const { date } = scored;
  const packed = packScoreDay(scored, scoringGeneration);
  const isCurrentGeneration = stored?.current.generation === scoringGeneration;
  const hasValue = scored.scores.size > 0;
  if (isCurrentGeneration ? isSame(stored.current, packed) : !stored && isEmptyScoreDay(packed))
    return { change: undefined, throttledUntilMs: null, hasValue };
  const before = stored && readVisibleDay(stored, isCurrentGeneration ? scoringGeneration : user.scoreGeneration);
  // Pack and unpack the day, so that only what is stored is compared.
  const computed = readVisibleDay({ date, current: packed, previous: undefined }, scoringGeneration);
  // A day that was never scored has nothing to migrate, and its first value may be corrected soon.
  const isAtOnce = isRequestedAtOnce || (stored !== undefined && !isCurrentGeneration);
  const isSleepNeeded = needsMainSleep(user, before, computed, { nowMs, isAtOnce });
  if (isSleepNeeded) await mainSleeps.load([date]);
  const mainSleepEndMs = isSleepNeeded ? (mainSleeps.get(date)?.endMs ?? null) : null;
  const { day, changed, throttledUntilMs } = throttleDay(user, before, computed, { nowMs, isAtOnce, mainSleepEndMs });
  const current = packScoreDay(day, scoringGeneration);
  const isWritten = !isCurrentGeneration || !isSame(stored.current, current);
  const isVisible = user.scoreGeneration === scoringGeneration;
  const previous = stored && !isVisible ? findPackedScoreDay(stored, user.scoreGeneration) : undefined;
  return {
    change: isWritten ? { day: { date, current, previous }, changedScores: changed } : undefined,
    throttledUntilMs,
    hasValue: day.scores.size > 0,
  };
}

/** A row without scores may still record when they may change. */
const readVisibleDay = (stored: StoredScoreDay, generation: number): ScoreDay =>
  unpackScoreDay(stored, generation) ?? {
    date: stored.date,
    ...noScores,
    computedMs: stored.current.computedMs,
    ...(stored.current.pace ? { pace: stored.current.pace } : {}),
  };

type Packed = StoredScoreDay['current'];
const isSame = (a: Packed, b: Packed): boolean =>
  Buffer.compare(a.values, b.values) === 0 && Buffer.compare(a.notes ?? emptyBytes, b.notes ?? emptyBytes) === 0;
const emptyBytes = new Uint8Array();
