// Removes the scores of the previous formulas. Readers see them until the user is migrated; they
// are removed a minute later.

import { allDays } from '../../measurements/date-span.ts';
import { scoreRows } from '../../measurements/rows/score-rows.ts';
import { writeAllConditionally } from '../../platform/write-all-conditionally.ts';
import type { Deps } from '../../system/deps.ts';
import type { PendingScores } from '../../users/pending-scores.ts';
import type { UserRow } from '../../users/user-rows.ts';
import type { ScoreChange } from './score-span.ts';

/** Every row may need a write, so this does not exceed the number of days scored in a pass. */
export const maxDroppedRows = 400;
/** A reader that read the user's row before the migration has also read the days by then. */
const readerGraceMs = 60_000;

type PreviousFormulas = PendingScores['previousFormulas'];

/**
 * Returns the first day with scores of the previous formulas, including those about to be written.
 */
export function trackPreviousFormulas(
  changes: readonly ScoreChange[],
  known: PreviousFormulas,
  nowMs: number,
): PreviousFormulas {
  const first = changes.find(({ day }) => day.previous)?.day.date;
  const from = first !== undefined && (known === null || first < known.from) ? first : known?.from;
  return from === undefined ? null : { from, dueMs: nowMs + readerGraceMs };
}

/** Returns the first day that may still have scores of the previous formulas. */
export async function dropPreviousFormulas({ store }: Deps, user: UserRow, nowMs: number): Promise<PreviousFormulas> {
  const { previousFormulas } = user.scores;
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
