// What rows hold of the formulas before: readers are shown it until the person is moved, and a minute later it goes.

import { everyDay } from '../../measurements/every-day.ts';
import { scoreRows } from '../../measurements/rows/score-rows.ts';
import { allHeld } from '../../platform/all-held.ts';
import type { Deps } from '../../system/deps.ts';
import type { OwedScores } from '../../users/owed-scores.ts';
import type { UserRow } from '../../users/user-rows.ts';
import type { ScoreChange } from './score-changes.ts';

/** Of which every row may be written, so fewer than are scored in a pass. */
export const mostDropped = 400;
/** Whoever read the user's row before the move has read the days by then. */
const readersGoneMs = 60_000;

type Earlier = OwedScores['earlier'];

/** From which day on there is any, those that are about to be written included. */
export function withEarlier(changes: readonly ScoreChange[], known: Earlier, nowMs: number): Earlier {
  const first = changes.find(({ day }) => day.former)?.day.date;
  const from = first !== undefined && (known === null || first < known.from) ? first : known?.from;
  return from === undefined ? null : { from, dueMs: nowMs + readersGoneMs };
}

/** From which day on there may still be some. */
export async function dropEarlier({ store }: Deps, user: UserRow, nowMs: number): Promise<Earlier> {
  const { earlier } = user.scores;
  if (earlier === null || earlier.dueMs > nowMs) return earlier;
  const rows = scoreRows(store).between(user.id, earlier.from, everyDay.to, {
    consistent: true,
    rowsAPage: mostDropped + 1,
  });
  const some = [];
  let rest: Earlier = null;
  for await (const row of rows) {
    if (some.length === mostDropped) {
      rest = { from: row.date, dueMs: 0 };
      break;
    }
    some.push(row);
  }
  const dead = some.filter(({ current, former }) => former && current.generation === user.scoreGeneration);
  await allHeld(dead, async (row) => {
    await scoreRows(store).dropFormer(user.id, row);
    return true;
  });
  return rest;
}
