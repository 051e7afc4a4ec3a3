// Deduplicates nights and workouts that several records describe: decides which records are the
// same session, and which record to use.

export interface Session {
  id: string;
  startMs: number;
  endMs: number;
  /** When the record arrived. */
  receivedMs: number;
}

/**
 * Two records describe one session when they share more than half of the shorter one, or when their
 * times are identical.
 */
export function isSameSession(a: Session, b: Session): boolean {
  const shared = Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
  const shorter = Math.min(a.endMs - a.startMs, b.endMs - b.startMs);
  return shared * 2 > shorter || (a.startMs === b.startMs && a.endMs === b.endMs);
}

export type CompareSessions<S> = (a: S, b: S) => number;

const lengthOf = (session: Session): number => session.endMs - session.startMs;
const compareIds = (a: Session, b: Session): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** For records of one device: none outranks another, so the later one counts. */
export const compareAsEqual = (): number => 0;

/**
 * Returns one record of each session, sorted by start. `compare` is negative when its first
 * argument ranks higher; ties go to the record received later, then the longer one, then the lower
 * id. The highest-ranked record is selected first, then the next one that is not the same session
 * as one already selected, and so on. If A matches B and B matches C, but A does not match C, then
 * A excludes B and C stays.
 */
export function deduplicateSessions<S extends Session>(sessions: readonly S[], compare: CompareSessions<S>): S[] {
  const ranked = sessions.toSorted(
    (a, b) => compare(a, b) || b.receivedMs - a.receivedMs || lengthOf(b) - lengthOf(a) || compareIds(a, b),
  );
  const unique: S[] = [];
  for (const session of ranked) if (!unique.some((other) => isSameSession(session, other))) unique.push(session);
  return unique.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs || compareIds(a, b));
}
