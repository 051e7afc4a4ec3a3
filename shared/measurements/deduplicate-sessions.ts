// Nights and workouts that several reports tell of: which reports mean the same one, and which of them to keep.

export interface Session {
  id: string;
  startMs: number;
  endMs: number;
  /** When the report arrived. */
  receivedMs: number;
}

/** Two reports tell of one session when they share more than half of the shorter one, or the very same times. */
export function isSameSession(a: Session, b: Session): boolean {
  const shared = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  const shorter = Math.min(a.endMs - a.startMs, b.endMs - b.startMs);
  return shared * 2 > shorter || (a.startMs === b.startMs && a.endMs === b.endMs);
}

export type CompareSessions<S> = (a: S, b: S) => number;

const lengthOf = (session: Session): number => session.endMs - session.startMs;
const compareIds = (a: Session, b: Session): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** For reports of one device: none is believed before another, so the later one counts. */
export const compareAsEqual = (): number => 0;

/**
 * One report of each session, in order of start. `compare` is negative when its first argument is believed first; ties go to the one
 * received later, then the longer one, then the lower id. The best report of all is kept, then the next best that is not the same session as
 * one already kept, and so on: where A is like B and B like C but A not like C, A keeps B out and C stays.
 */
export function deduplicateSessions<S extends Session>(sessions: readonly S[], compare: CompareSessions<S>): S[] {
  const ranked = sessions.toSorted(
    (a, b) => compare(a, b) || b.receivedMs - a.receivedMs || lengthOf(b) - lengthOf(a) || compareIds(a, b),
  );
  const unique: S[] = [];
  for (const session of ranked) if (!unique.some((other) => isSameSession(session, other))) unique.push(session);
  return unique.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs || compareIds(a, b));
}
