// What rows hold of the formulas before: readers are shown it until the person is moved, and a minute later it goes.

import { allDays } from '../../measurements/date-span.ts';
import { scoreRows } from '../../measurements/rows/score-rows.ts';
import { writeAllConditionally } from '../../platform/write-all-conditionally.ts';
import type { Deps } from '../../system/deps.ts';
import type { PendingScores } from '../../users/pending-scores.ts';
import type { UserRow } from '../../users/user-rows.ts';
import type { ScoreChange } from './score-span.ts';

/** Of which every row may be written, so fewer than are scored in a pass. */
export const maxDroppedRows = 400;
/** Whoever read the user's row before the move has read the days by then. */
const readerGraceMs = 60_000;

type PreviousFormulas = PendingScores['earlier'];

/** From which day on there is any, those that are about to be written included. */
export function trackPreviousFormulas(
  changes: readonly ScoreChange[],
  known: PreviousFormulas,
  nowMs: number,
): PreviousFormulas {
  const first = changes.find(({ day }) => day.previous)?.day.date;
  const from = first !== undefined && (known === null || first < known.from) ? first : known?.from;
  return from === undefined ? null : { from, dueMs: nowMs + readerGraceMs };
}

/** From which day on there may still be some. */
export async function dropPreviousFormulas({ store }: Deps, user: UserRow, nowMs: number): Promise<PreviousFormulas> {
  const { earlier: previousFormulas } = user.scores;
  if (previousFormulas === null || previousFormulas.dueMs > nowMs) return previousFormulas;
  const rows = scoreRows(store).iterateBetween(user.id, previousFormulas.from, allDays.to, {
    consistent: true,
    rowsPerPage: maxDroppedRows + 1,
  });
  const batch = [];
  let rest: PreviousFormulas = null;
  for await (const row of rows) {
    if (batch.length === maxDroppedRows) {
      rest = { from: row.date, dueMs: 0 };
      break;
    }
    batch.push(row);
  }
  const obsolete = batch.filter(({ current, previous }) => previous && current.generation === user.scoreGeneration);
  await writeAllConditionally(obsolete, async (row) => {
    await scoreRows(store).removePrevious(user.id, row);
    return true;
  });
  return rest;
}
