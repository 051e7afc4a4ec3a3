import * as z from 'zod';

// Pages of sessions, newest first, with one record per session. A page position also remembers the
// sessions returned near it, so that a record that arrives between two pages can neither repeat a
// session nor hide one that is still to come.
import { adjacencyDays } from '../../consolidation/adjacent-days.ts';
import {
  type CompareSessions,
  deduplicateSessions,
  isSameSession,
  type Session,
} from '../../measurements/deduplicate-sessions.ts';
import type { SessionDay } from '../../measurements/rows/session-rows.ts';
import { addDays, daysBetween } from '../../platform/time/local-day.ts';
import type { Range } from '../kit/range.ts';

export interface SessionSelection<Row> {
  isEligible(row: Row): boolean;
  compare: CompareSessions<Row>;
}

/** The date, start and end of a session that was returned, or that excluded a duplicate. */
type SeenSession = [date: string, startMs: number, endMs: number];

/** Where a page ended: its range, and the date, start and id of its last session. */
export interface PagePosition extends Range {
  last: [date: string, startMs: number, id: string];
  seen: SeenSession[];
}

export interface PagedSession<Row> {
  date: string;
  row: Row;
  /** Every session of that date, including those on other pages. */
  daySessions: readonly Session[];
}
export interface SessionPage<Row> {
  sessions: PagedSession<Row>[];
  next: PagePosition | undefined;
}

/**
 * Returns the days to read for a page, including the adjacent days on both sides for sessions that
 * devices date differently.
 */
export const getDaysToRead = ({ from, to }: Range, position: PagePosition | undefined): Range => ({
  from: addDays(from, -adjacencyDays),
  to: position ? position.last[0] : addDays(to, adjacencyDays),
});

/**
 * `days` are those of `getDaysToRead` or more, newest first. They are consumed only as far as the
 * page needs.
 */
export async function buildSessionPage<Row extends Session>(
  days: AsyncIterable<SessionDay<Row>>,
  { from, to }: Range,
  limit: number,
  selection: SessionSelection<Row>,
  position?: PagePosition,
): Promise<SessionPage<Row>> {
  const sessions: PagedSession<Row>[] = [];
  const seen: SeenSession[] = [...(position?.seen ?? [])];
  for await (const { date, rows } of deduplicateSessionDays(
    skipPreviousPages(days, position),
    selection,
    position?.seen ?? [],
  )) {
    if (date < from) break;
    const daySessions = [...toSessionsOn(seen, date), ...rows];
    for (const row of rows.toSorted(compareNewestFirst)) {
      const last = sessions.at(-1);
      if (sessions.length === limit && last && date <= to)
        return {
          sessions,
          next: { from, to, last: [last.date, last.row.startMs, last.row.id], seen: keepAdjacent(last.date, seen) },
        };
      if (date <= to) sessions.push({ date, row, daySessions });
      seen.push([date, row.startMs, row.endMs]);
    }
  }
  return { sessions, next: undefined };
}

const areAdjacent = (date: string, other: string): boolean => Math.abs(daysBetween(date, other)) <= adjacencyDays;

/**
 * Yields each day's sessions without duplicates, newest day first. The adjacent days are taken into
 * account, so that the result does not depend on the page.
 */
export async function* deduplicateSessionDays<Row extends Session>(
  days: AsyncIterable<SessionDay<Row>> | Iterable<SessionDay<Row>>,
  { isEligible, compare }: SessionSelection<Row>,
  seen: readonly SeenSession[] = [],
): AsyncGenerator<{ date: string; rows: Row[] }> {
  const listCandidates = ({ date, sessions }: SessionDay<Row>): Row[] => {
    const adjacent = seen.filter(([other]) => areAdjacent(other, date)).map(toSession);
    return sessions.filter((row) => isEligible(row) && !adjacent.some((known) => isSameSession(row, known)));
  };
  let known: SessionDay<Row>[] = [];
  const deduplicateDay = (day: SessionDay<Row>) => {
    const ownRows = new Set(listCandidates(day));
    // Adjacent rows are always in newest-first order: a session that is being moved is stored on
    // two days, and only the copy on the newer day is returned.
    const adjacentRows = known.filter((other) => areAdjacent(other.date, day.date)).flatMap(listCandidates);
    return { date: day.date, rows: deduplicateSessions(adjacentRows, compare).filter((row) => ownRows.has(row)) };
  };
  const pending: SessionDay<Row>[] = [];
  for await (const older of days) {
    for (let [day] = pending; day && !areAdjacent(day.date, older.date); [day] = pending) {
      yield deduplicateDay(day);
      pending.shift();
    }
    known = known.filter(({ date }) => Math.abs(daysBetween(date, older.date)) <= 2 * adjacencyDays);
    known.push(older);
    pending.push(older);
  }
  for (const day of pending) yield deduplicateDay(day);
}

const compareNewestFirst = (a: Session, b: Session): number =>
  b.startMs - a.startMs || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

async function* skipPreviousPages<Row extends Session>(
  days: AsyncIterable<SessionDay<Row>>,
  position: PagePosition | undefined,
): AsyncGenerator<SessionDay<Row>> {
  for await (const day of days) {
    if (!position || day.date < position.last[0]) yield day;
    else if (day.date === position.last[0]) {
      const [, startMs, id] = position.last;
      yield { ...day, sessions: day.sessions.filter((row) => compareNewestFirst({ ...row, startMs, id }, row) < 0) };
    }
  }
}

/** Enough for any real day, and small enough for a cursor. */
const maxSeenSessions = 16;

/** Only sessions adjacent to the end of the page can overlap the next page. */
const keepAdjacent = (date: string, seen: readonly SeenSession[]): SeenSession[] =>
  seen.filter(([other]) => areAdjacent(other, date)).slice(-maxSeenSessions);

const toSession = ([, startMs, endMs]: SeenSession): Session => ({ id: '', startMs, endMs, receivedMs: 0 });
const toSessionsOn = (seen: readonly SeenSession[], date: string): Session[] =>
  seen.filter(([other]) => other === date).map(toSession);

const PagePositionSchema: z.ZodType<PagePosition> = z.object({
  from: z.string(),
  to: z.string(),
  last: z.tuple([z.string(), z.number(), z.string()]),
  seen: z.array(z.tuple([z.string(), z.number(), z.number()])),
});

export const serializePagePosition = (position: PagePosition): string => JSON.stringify(position);
export const parsePagePosition = (text: string): PagePosition => PagePositionSchema.parse(JSON.parse(text));
