// Writes days between which sessions move. The pass may stop after any write, so a session is
// stored on its new day before it leaves the old one, and a repeated pass finds every session.
import type { SessionDay } from '../measurements/rows/session-rows.ts';
import { writeAllConditionally } from '../platform/write-all-conditionally.ts';
import { sortSessions } from './merge-sessions.ts';

/** Returns false when one of the writes was rejected. */
export async function replaceDaysInOrder<Row extends { id: string; startMs: number }>(
  days: readonly SessionDay<Row>[],
  before: ReadonlyMap<string, SessionDay<Row>>,
  replace: (day: SessionDay<Row>) => Promise<boolean>,
): Promise<boolean> {
  const findLeaving = ({ date, sessions }: SessionDay<Row>): Row[] => {
    const stayingIds = new Set(sessions.map(({ id }) => id));
    return (before.get(date)?.sessions ?? []).filter(({ id }) => !stayingIds.has(id));
  };
  const presentIds = new Set(days.flatMap(({ sessions }) => sessions.map(({ id }) => id)));
  const movingIds = new Set(
    days.flatMap((day) => findLeaving(day).flatMap(({ id }) => (presentIds.has(id) ? id : []))),
  );
  const firstWrites: SessionDay<Row>[] = [];
  const secondWrites: SessionDay<Row>[] = [];
  for (const day of days) {
    const leaving = findLeaving(day).filter(({ id }) => movingIds.has(id));
    if (leaving.length === 0) firstWrites.push(day);
    else if (!day.sessions.some(({ id }) => movingIds.has(id))) secondWrites.push(day);
    else {
      // A day that both gains and loses sessions keeps those that leave until they are stored on
      // their new day.
      firstWrites.push({ ...day, sessions: sortSessions([...day.sessions, ...leaving]) });
      secondWrites.push({ ...day, revision: day.revision + 1 });
    }
  }
  return (await writeAllConditionally(firstWrites, replace)) && (await writeAllConditionally(secondWrites, replace));
}
