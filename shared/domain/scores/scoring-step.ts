// One step of a run: so many of the days that are due are scored, stored and no longer due; the last step tells of them all.
import { TransactionRefused, type Write } from '../../engine/ports.ts';
import { inPieces } from '../../model/in-pieces.ts';
import { scoringGeneration } from '../../model/score-table.ts';
import { timestamp } from '../../model/time.ts';
import { conditionalCommit } from '../../store/conditional-write.ts';
import { type Ask, type RunProgress, type ScoreRun, scoreRunRows } from '../../store/score-runs.ts';
import { scoreRows } from '../../store/scores.ts';
import { noBaseline, seededBaselineRows } from '../../store/seeded-baselines.ts';
import { type UserRow, userRows } from '../../store/users.ts';
import type { Deps } from '../deps.ts';
import { dataEvent } from '../events/new-event.ts';
import { newId } from '../new-id.ts';
import { including } from './announced.ts';
import { type DateSpan, everyDay, noDay } from './ask.ts';
import { dueSpans, restOf } from './due-days.ts';
import { dropFormer, firstFormer } from './former-days.ts';
import { answersTo, holdOf, wakeWhenHeld } from './hold.ts';
import { holding, type ScoreChange, type ScoredSpan, scoredSpan } from './score-changes.ts';

export const leaseMs = 90_000;
/** A user's scores are computed no more often. */
export const onceInMs = 60_000;
/** However long a person's history is. */
export const mostDaysAStep = 400;
const mostWrites = 100;
/** The run, the user, what is left to be looked at, what waits, and the event. */
const writesBeside = 5;

export interface LeasedRun {
  user: UserRow;
  lease: string;
  /** As it was when the lease was taken. */
  run: ScoreRun | undefined;
  /** Few enough to be answered in one transaction. */
  asks: readonly Ask[];
}

/** `paused` when the run goes on; `lost` when another has the lease, or the user's status has changed. */
export type StepOutcome = 'finished' | 'paused' | 'lost';

export async function scoringStep(deps: Deps, leased: LeasedRun): Promise<StepOutcome> {
  const { user, lease, run, asks } = leased;
  const whole = wholeHistory(user, run);
  const wanted = whole ? [...asks, whole] : asks;
  const atOnce = [...dueSpans(asks.filter((ask) => ask.atOnce)), ...(whole ? [whole] : [])];
  const isAtOnce = (date: string) => atOnce.some(({ from, to }) => from <= date && date <= to);
  const scored = await scoredDays(deps, user, dueSpans(wanted), isAtOnce);
  const { changes, before } = scored;
  const progress: RunProgress = {
    announced: changes.reduce(including, run?.announced ?? null),
    rescored: whole && before ? { before, generation: scoringGeneration } : null,
    formerFrom: whole
      ? firstFormer(changes, run?.formerFrom ?? null)
      : await dropFormer(deps, user, run?.formerFrom ?? null),
  };
  const late = mostWrites - writesBeside - asks.length;
  const early = changes.slice(0, Math.max(0, changes.length - late));
  if (!(await storeEarly(deps, leased, early, { ...progress, rescored: run?.rescored ?? null }))) return 'lost';
  const now = deps.clock.now();
  const lastScoreMs = await scoredAt(deps, user, scored, now);
  const storing = storingOf(deps, user, changes.slice(early.length));
  const hold = holdOf(deps, user, asks, scored.held, now);
  const asking = (span: DateSpan, fromMs = now) =>
    scoreRunRows(deps.store).asking(
      user.id,
      { ...span, asked: newId(deps, 'ask'), ...(isAtOnce(span.from) ? { atOnce: true } : {}) },
      fromMs,
    );

  if (before) {
    const rest = restOf(wanted, before);
    const begun = asks.filter(({ from }) => from < before);
    const paused = await answer(deps, answersTo(deps, user, begun, hold), {
      run: scoreRunRows(deps.store).pausing(user.id, lease, progress),
      user: userRows(deps.store).scored(user, lastScoreMs, user.scoreGeneration),
      more: [...(rest ? [asking(rest)] : []), ...storing],
    });
    if (!paused) return 'lost';
    await wakeWhenHeld(deps, user, hold, now);
    return 'paused';
  }
  const { announced, formerFrom } = progress;
  const isLookedAtAgain = formerFrom !== null;
  const answered = isLookedAtAgain ? asks.filter(({ to }) => to !== noDay.to) : asks;
  const finished = await answer(deps, answersTo(deps, user, answered, hold), {
    run: scoreRunRows(deps.store).finishing(user.id, lease, formerFrom, now),
    user: userRows(deps.store).scored(user, lastScoreMs, scoringGeneration),
    more: [
      ...(isLookedAtAgain ? [asking(noDay, now + onceInMs)] : []),
      ...(announced
        ? dataEvent(deps, 'score.updated', user, {
            more: { scores: announced.scores, from_date: announced.from, to_date: announced.to },
          })
        : []),
      ...storing,
    ],
  });
  if (!finished) return 'lost';
  await wakeWhenHeld(deps, user, hold, now);
  deps.log('info', 'scored', {
    user_id: user.id,
    from: announced?.from ?? null,
    to: announced?.to ?? null,
    days: scored.days,
    held_until: scored.held ? timestamp(scored.held.untilMs) : null,
    moved_to: user.scoreGeneration === scoringGeneration ? null : scoringGeneration,
  });
  return 'finished';
}

/**
 * What is to be scored because of the formulas and not of the data: everything when readers are shown others, without what earlier steps have
 * done of it.
 */
function wholeHistory(user: UserRow, run: ScoreRun | undefined): DateSpan | undefined {
  if (user.scoreGeneration === scoringGeneration) return undefined;
  const done = run?.rescored;
  return done?.generation === scoringGeneration ? { from: done.before, to: everyDay.to } : everyDay;
}

async function scoredDays(
  deps: Deps,
  user: UserRow,
  spans: readonly DateSpan[],
  isAtOnce: (date: string) => boolean,
): Promise<ScoredSpan> {
  const seeded = user.env === 'sandbox' ? await seededBaselineRows(deps.store).of(user.id) : noBaseline;
  const sum: ScoredSpan = { changes: [], held: null, days: 0, hasValue: false, before: undefined };
  for (const span of spans) {
    if (sum.days >= mostDaysAStep) return { ...sum, before: span.from };
    const mostDays = mostDaysAStep - sum.days;
    const { changes, held, days, hasValue, before } = await scoredSpan(deps, user, span, {
      mostDays,
      isAtOnce,
      seeded,
    });
    sum.changes.push(...changes);
    sum.held = holding(sum.held, held);
    sum.days += days;
    sum.hasValue ||= hasValue;
    if (before) return { ...sum, before };
  }
  return sum;
}

/** What does not go into the transaction that ends the step. */
async function storeEarly(
  deps: Deps,
  { user, lease }: LeasedRun,
  changes: readonly ScoreChange[],
  progress: RunProgress,
): Promise<boolean> {
  for (const some of inPieces(changes, mostWrites - 1)) {
    const holding = scoreRunRows(deps.store).holding(user.id, lease, progress, deps.clock.now() + leaseMs);
    if (!(await conditionalCommit(deps.store, [holding, ...storingOf(deps, user, some)]))) return false;
  }
  return true;
}

const storingOf = ({ store }: Deps, user: UserRow, changes: readonly ScoreChange[]): Write[] =>
  changes.map(({ day }) => scoreRows(store).storing(user.id, day));

/** Null while there is no value; only who had one and has none among what was looked at is asked about the rest. */
async function scoredAt(
  { store }: Deps,
  user: UserRow,
  { hasValue, days, changes, held }: ScoredSpan,
  now: number,
): Promise<number | null> {
  // Readers are shown what was computed before.
  if (held && changes.every(({ told }) => told.length === 0)) return user.lastScoreMs;
  if (hasValue) return now;
  if (user.lastScoreMs === null || days === 0) return user.lastScoreMs;
  // Some of these are still stored as they were.
  const changing = new Set(changes.map(({ day }) => day.date));
  return (await scoreRows(store).haveValue(user.id, changing)) ? now : null;
}

/**
 * What was asked for again meanwhile stays due; the rest goes together. False when the lease was
 * lost or the user's status has changed.
 */
async function answer(
  { store }: Deps,
  answers: readonly Write[],
  writes: { run: Write; user: Write; more: readonly Write[] },
): Promise<boolean> {
  for (let answered = answers; ; ) {
    try {
      await store.commit([writes.run, writes.user, ...answered, ...writes.more]);
      return true;
    } catch (error) {
      if (!(error instanceof TransactionRefused)) throw error;
      const [leaseLost, userChanged, ...askedAgain] = error.failed;
      if (leaseLost || userChanged) return false;
      answered = answered.filter((_write, at) => askedAgain[at] === undefined);
    }
  }
}
