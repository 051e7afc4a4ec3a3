// The scores that follow from a pass: of days that changed, and of days whose time has come. What waits, and what is more than a pass takes, stays
// written down on the user's row. What it changes of recent days is paced (`pace.ts`).

import { scoringGeneration } from '../../catalog/score-table.ts';
import { dataEvent } from '../../events/new-event.ts';
import { type DateSpan, everyDay } from '../../measurements/every-day.ts';
import { scoreRows } from '../../measurements/rows/score-rows.ts';
import { noBaseline, seededBaselineRows } from '../../measurements/rows/seeded-baseline-rows.ts';
import { inPieces } from '../../platform/in-pieces.ts';
import { EngineUnavailable, type Write } from '../../platform/ports.ts';
import { timestamp } from '../../platform/time/time.ts';
import type { Deps } from '../../system/deps.ts';
import { conditionalCommit } from '../../system/store.ts';
import { type AnnouncedScores, type OwedDays, type OwedScores, scoresDueMs } from '../../users/owed-scores.ts';
import { type UserRow, userRows } from '../../users/user-rows.ts';
import { PassOvertaken } from '../work.ts';
import { including } from './announced.ts';
import { dueDays, dueSpans, restOf } from './due-days.ts';
import { dropEarlier, withEarlier } from './earlier-formulas.ts';
import { holding, type ScoreChange, type ScoredSpan, scoredSpan } from './score-changes.ts';

/** However long a person's history is. */
export const mostDaysAPass = 400;
/** In the transaction that ends a pass, beside its commands and events. */
const mostRows = 40;
const rowsAWrite = 90;
/** Scores that cannot be computed keep no data waiting: they are tried again then. */
const failedAgainMs = 15 * 60_000;

export interface Scored extends Pick<UserRow, 'lastScoreMs' | 'scoreGeneration' | 'scores'> {
  /** As it is by then: some rows may have been written ahead, with a note on it. */
  user: UserRow;
  /** What goes into the transaction that ends the pass. */
  writes: Write[];
}

export async function scoreDays(deps: Deps, user: UserRow, changed: readonly OwedDays[]): Promise<Scored> {
  const { scores, lastScoreMs, scoreGeneration } = user;
  const asItWas = { user, writes: [], lastScoreMs, scoreGeneration };
  const owed = [...scores.days, ...changed];
  const nowMs = deps.clock.now();
  if ((scoresDueMs({ ...scores, days: owed }) ?? nowMs + 1) > nowMs) return { ...asItWas, scores };
  try {
    return await scored(deps, user, owed, nowMs);
  } catch (error) {
    if (error instanceof EngineUnavailable || error instanceof PassOvertaken) throw error;
    deps.log('error', 'scores could not be computed; they are tried again', { user_id: user.id, cause: error });
    return { ...asItWas, scores: postponed({ ...scores, days: owed }, nowMs + failedAgainMs) };
  }
}

const postponed = ({ days, earlier, ...rest }: OwedScores, dueMs: number): OwedScores => ({
  ...rest,
  days: days.map((each) => ({ ...each, dueMs })),
  earlier: earlier && { ...earlier, dueMs },
});

async function scored(deps: Deps, user: UserRow, owed: readonly OwedDays[], nowMs: number): Promise<Scored> {
  const { scores } = user;
  const due = dueDays(owed, nowMs);
  const whole = wholeHistory(user);
  const wanted = whole ? [...due, whole] : due;
  const atOnce = dueSpans(wanted.filter((each) => each.atOnce));
  const isAtOnce = (date: string) => atOnce.some(({ from, to }) => from <= date && date <= to);
  const found = await scoredSpans(deps, user, dueSpans(wanted), isAtOnce);
  const { changes, before, held } = found;
  const announced = changes.reduce(including, scores.announced);
  const isMoved = before === undefined;
  const late = changes.slice(-mostRows);
  const ahead = changes.slice(0, changes.length - late.length);
  // Rows that are written ahead are not among the changes of a repeated pass.
  const earlier = whole ? withEarlier(changes, scores.earlier, nowMs) : scores.earlier;
  const written = await writeAhead(deps, user, ahead, { announced, earlier });
  const left: OwedScores = {
    days: merged([
      ...owed.filter((each) => !due.includes(each)),
      ...(before === undefined ? [] : restOf(wanted, before).map((each) => ({ ...each, dueMs: 0 }))),
      ...(held ? [{ from: held.from, to: held.to, dueMs: held.untilMs, atOnce: false }] : []),
    ]),
    announced: before === undefined ? null : announced,
    moved: whole && before !== undefined ? { generation: scoringGeneration, before } : null,
    earlier: whole ? earlier : await dropEarlier(deps, user, nowMs),
  };
  if (isMoved) report(deps, user, announced, found);
  return {
    user: written,
    lastScoreMs: await scoredAt(deps, user, found, nowMs),
    scoreGeneration: isMoved ? scoringGeneration : user.scoreGeneration,
    scores: left,
    writes: [
      ...late.map(({ day }) => scoreRows(deps.store).storing(user.id, day)),
      ...(isMoved && announced
        ? dataEvent(deps, 'score.updated', user, {
            more: { scores: announced.scores, from_date: announced.from, to_date: announced.to },
          })
        : []),
    ],
  };
}

/** The rest of everything, while readers are shown other formulas. */
function wholeHistory({ scoreGeneration, scores: { moved } }: UserRow): OwedDays | undefined {
  if (scoreGeneration === scoringGeneration) return undefined;
  const from = moved?.generation === scoringGeneration ? moved.before : everyDay.from;
  return { from, to: everyDay.to, dueMs: 0, atOnce: true };
}

async function scoredSpans(
  deps: Deps,
  user: UserRow,
  spans: readonly DateSpan[],
  isAtOnce: (date: string) => boolean,
): Promise<ScoredSpan> {
  const seeded = user.env === 'sandbox' ? await seededBaselineRows(deps.store).of(user.id) : noBaseline;
  const sum: ScoredSpan = { changes: [], held: null, days: 0, hasValue: false, before: undefined };
  for (const span of spans) {
    if (sum.days >= mostDaysAPass) return { ...sum, before: span.from };
    const mostDays = mostDaysAPass - sum.days;
    const found = await scoredSpan(deps, user, span, { mostDays, isAtOnce, seeded });
    sum.changes.push(...found.changes);
    sum.held = holding(sum.held, found.held);
    sum.days += found.days;
    sum.hasValue ||= found.hasValue;
    if (found.before) return { ...sum, before: found.before };
  }
  return sum;
}

/** What does not fit the transaction that ends the pass; what follows from it is written with it. */
async function writeAhead(
  { store }: Deps,
  read: UserRow,
  changes: readonly ScoreChange[],
  note: Pick<OwedScores, 'announced' | 'earlier'>,
): Promise<UserRow> {
  let user = read;
  for (const some of inPieces(changes, rowsAWrite)) {
    const noted = { ...user, scores: { ...user.scores, ...note } };
    const rows = some.map(({ day }) => scoreRows(store).storing(user.id, day));
    if (!(await conditionalCommit(store, [userRows(store).passing(user, noted), ...rows]))) throw new PassOvertaken();
    user = { ...noted, fence: user.fence + 1 };
  }
  return user;
}

/** Those that wait for the same time, and touch, are one. */
function merged(days: readonly OwedDays[]): OwedDays[] {
  const kept: OwedDays[] = [];
  for (const each of days.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = kept.at(-1);
    if (last && last.dueMs === each.dueMs && last.atOnce === each.atOnce && each.from <= last.to)
      kept[kept.length - 1] = { ...last, to: each.to > last.to ? each.to : last.to };
    else kept.push(each);
  }
  return kept;
}

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

/** Not of passes that found every score as it was: that is what happens with most uploads. */
function report(deps: Deps, user: UserRow, announced: AnnouncedScores | null, { days, held }: ScoredSpan): void {
  if (!announced && user.scoreGeneration === scoringGeneration) return;
  deps.log('info', 'scored', {
    user_id: user.id,
    from: announced?.from ?? null,
    to: announced?.to ?? null,
    days,
    held_until: held ? timestamp(held.untilMs) : null,
    moved_to: user.scoreGeneration === scoringGeneration ? null : scoringGeneration,
  });
}
