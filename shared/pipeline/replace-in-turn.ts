// Writes days between which sessions move. The pass may end after any write, so a session stands on its new day before
// it leaves the old one, and a repeated pass finds every session.
import type { SessionDay } from '../measurements/rows/session-rows.ts';
import { allHeld } from '../platform/all-held.ts';
import { sorted } from './session-changes.ts';

/** False when one of them was refused. */
export async function replaceInTurn<Row extends { id: string; startMs: number }>(
  days: readonly SessionDay<Row>[],
  before: ReadonlyMap<string, SessionDay<Row>>,
  replace: (day: SessionDay<Row>) => Promise<boolean>,
): Promise<boolean> {
  const leavingFrom = ({ date, sessions }: SessionDay<Row>): Row[] => {
    const stay = new Set(sessions.map(({ id }) => id));
    return (before.get(date)?.sessions ?? []).filter(({ id }) => !stay.has(id));
  };
  const standing = new Set(days.flatMap(({ sessions }) => sessions.map(({ id }) => id)));
  const moving = new Set(days.flatMap((day) => leavingFrom(day).flatMap(({ id }) => (standing.has(id) ? id : []))));
  const first: SessionDay<Row>[] = [];
  const then: SessionDay<Row>[] = [];
  for (const day of days) {
    const leaving = leavingFrom(day).filter(({ id }) => moving.has(id));
    if (leaving.length === 0) first.push(day);
    else if (!day.sessions.some(({ id }) => moving.has(id))) then.push(day);
    else {
      // A day that takes and lets go keeps what leaves until that has arrived.
      first.push({ ...day, sessions: sorted([...day.sessions, ...leaving]) });
      then.push({ ...day, revision: day.revision + 1 });
    }
  }
  return (await allHeld(first, replace)) && (await allHeld(then, replace));
}
