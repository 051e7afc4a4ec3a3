// What rows hold of the formulas before: readers are shown it until the user is moved, and a minute later it goes.
import { scoreRows } from '../../store/scores.ts';
import type { UserRow } from '../../store/users.ts';
import type { Deps } from '../deps.ts';
import { allHeld } from '../work/all-held.ts';
import { everyDay } from './ask.ts';
import type { ScoreChange } from './score-changes.ts';

/** Of which every row may be written, so fewer than are scored in a step. */
export const mostDropped = 400;

/** From which day on there is any, those that are about to be written included. */
export function firstFormer(changes: readonly ScoreChange[], known: string | null): string | null {
  const first = changes.find(({ day }) => day.former)?.day.date;
  return first !== undefined && (known === null || first < known) ? first : known;
}

/** From which day on there may still be some. */
export async function dropFormer({ store }: Deps, user: UserRow, from: string | null): Promise<string | null> {
  if (from === null) return null;
  const rows = scoreRows(store).between(user.id, from, everyDay.to, { consistent: true, rowsAPage: mostDropped + 1 });
  const some = [];
  let rest: string | null = null;
  for await (const row of rows) {
    if (some.length === mostDropped) {
      rest = row.date;
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
