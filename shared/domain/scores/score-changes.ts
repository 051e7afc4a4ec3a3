// Scores the days of a span, so many at a time, and says which of them are to be stored anew and which scores are to be told of.

import type { Score } from '../../model/score.ts';
import { type ScoreId, scoreIds } from '../../model/score-ids.ts';
import { scoringGeneration } from '../../model/score-table.ts';
import { type CanonicalRow, unpackCanonicalRow } from '../../store/codec/canonical-day.ts';
import { dayRows } from '../../store/days.ts';
import {
  asOf,
  isEmpty,
  packDay,
  packedAsOf,
  type ScoreDay,
  type StoredScoreDay,
  scoreRows,
} from '../../store/scores.ts';
import type { UserRow } from '../../store/users.ts';
import type { Deps } from '../deps.ts';
import type { DateSpan } from './ask.ts';
import { type DayScores, reachDays, scorer } from './day-scores.ts';
import { lookedAt } from './due-days.ts';

export interface ScoreChange {
  day: StoredScoreDay;
  /** The scores whose value or explanation changed. */
  told: ScoreId[];
}

export interface ScoredSpan {
  changes: ScoreChange[];
  /** How many days there are. */
  days: number;
  hasValue: boolean;
  /** Everything before this day is done; undefined when the whole span is. */
  before: string | undefined;
}

export async function scoredSpan(deps: Deps, user: UserRow, span: DateSpan, mostDays: number): Promise<ScoredSpan> {
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

  const { on } = scorer(canonical, user.profile);
  const dates = [...new Set([...canonical.keys(), ...stored.keys()])]
    .filter((date) => date >= span.from && (before === undefined || date < before))
    .sort();
  const changes: ScoreChange[] = [];
  let hasValue = false;
  for (const date of dates) {
    const scores = canonical.has(date) ? on(date) : nothing;
    hasValue ||= scores.scores.size > 0;
    const change = changeOf(user, stored.get(date), { date, ...scores, computedMs: clock.now() });
    if (change) changes.push(change);
  }
  return { changes, days: dates.length, hasValue, before };
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

/** What readers are still shown stays beside it until the user is moved to these formulas. */
function changeOf(user: UserRow, stored: StoredScoreDay | undefined, scored: ScoreDay): ScoreChange | undefined {
  const { date } = scored;
  const current = packDay(scored, scoringGeneration);
  const isMoved = stored?.current.generation === scoringGeneration;
  if (isMoved ? isSame(stored.current, current) : !stored && isEmpty(current)) return undefined;
  const isShown = user.scoreGeneration === scoringGeneration;
  const day = { date, current, former: stored && !isShown ? packedAsOf(stored, user.scoreGeneration) : undefined };
  const was = stored && asOf(stored, isMoved ? scoringGeneration : user.scoreGeneration);
  return { day, told: differing(was, asOf(day, scoringGeneration)) };
}

type Packed = StoredScoreDay['current'];
const isSame = (a: Packed, b: Packed): boolean =>
  Buffer.compare(a.values, b.values) === 0 && Buffer.compare(a.notes ?? none, b.notes ?? none) === 0;
const none = new Uint8Array();

function differing(before: ScoreDay | undefined, after: ScoreDay | undefined): ScoreId[] {
  const text = (score: Score | undefined) => JSON.stringify(score);
  return scoreIds.filter((id) => text(before?.scores.get(id)) !== text(after?.scores.get(id)));
}
