// Pages of sessions, newest first, one report of each. A page ends at a place in that order, and the place also remembers what was shown near it:
// a report that arrives between two pages can neither show a session twice nor hide one that was still to come.
import { daysAside } from '../../consolidation/beside.ts';
import type { SessionDay } from '../../measurements/rows/session-rows.ts';
import { type Better, oneOfEach, type Session, sameSession } from '../../measurements/sessions.ts';
import { addDays, daysBetween } from '../../platform/time/local-day.ts';
import type { Range } from '../kit/range.ts';

export interface Choice<Row> {
  counts(row: Row): boolean;
  better: Better<Row>;
}

/** The date, start and end of a session that was shown, or kept another from being shown. */
type Settled = [date: string, startMs: number, endMs: number];

/** Where a page ended: its range, and the date, start and id of its last session. */
export interface PagePlace extends Range {
  last: [date: string, startMs: number, id: string];
  settled: Settled[];
}

export interface PagedSession<Row> {
  date: string;
  row: Row;
  /** Every session of that date, those on other pages included. */
  dayOf: readonly Session[];
}
export interface SessionPage<Row> {
  sessions: PagedSession<Row>[];
  next: PagePlace | undefined;
}

/** The days to read for a page: some more on both sides, for sessions that devices date differently. */
export const daysFor = ({ from, to }: Range, place: PagePlace | undefined): Range => ({
  from: addDays(from, -daysAside),
  to: place ? place.last[0] : addDays(to, daysAside),
});

/** `days` are those of `daysFor` or more, newest first; they are taken only as far as the page needs. */
export async function sessionPage<Row extends Session>(
  days: AsyncIterable<SessionDay<Row>>,
  { from, to }: Range,
  limit: number,
  choice: Choice<Row>,
  place?: PagePlace,
): Promise<SessionPage<Row>> {
  const sessions: PagedSession<Row>[] = [];
  const passed: Settled[] = [...(place?.settled ?? [])];
  for await (const { date, rows } of chosenDays(unpassed(days, place), choice, place?.settled ?? [])) {
    if (date < from) break;
    const dayOf = [...asSessions(passed, date), ...rows];
    for (const row of rows.toSorted(newestFirst)) {
      const last = sessions.at(-1);
      if (sessions.length === limit && last && date <= to)
        return {
          sessions,
          next: { from, to, last: [last.date, last.row.startMs, last.row.id], settled: near(last.date, passed) },
        };
      if (date <= to) sessions.push({ date, row, dayOf });
      passed.push([date, row.startMs, row.endMs]);
    }
  }
  return { sessions, next: undefined };
}

const areBeside = (date: string, other: string): boolean => Math.abs(daysBetween(date, other)) <= daysAside;

/** A day's sessions with the duplicates out, chosen with the days beside it in view: the same whichever page asks. Newest first. */
export async function* chosenDays<Row extends Session>(
  days: AsyncIterable<SessionDay<Row>> | Iterable<SessionDay<Row>>,
  { counts, better }: Choice<Row>,
  settled: readonly Settled[] = [],
): AsyncGenerator<{ date: string; rows: Row[] }> {
  const open = ({ date, sessions }: SessionDay<Row>): Row[] => {
    const beside = settled.filter(([other]) => areBeside(other, date)).map(asSession);
    return sessions.filter((row) => counts(row) && !beside.some((known) => sameSession(row, known)));
  };
  let known: SessionDay<Row>[] = [];
  const chosen = (day: SessionDay<Row>) => {
    const own = new Set(open(day));
    // Newest first for whichever day asks: while a session moves it stands on both, and only the copy on the newer one is shown.
    const around = known.filter((other) => areBeside(other.date, day.date)).flatMap(open);
    return { date: day.date, rows: oneOfEach(around, better).filter((row) => own.has(row)) };
  };
  const waiting: SessionDay<Row>[] = [];
  for await (const older of days) {
    for (let [day] = waiting; day && !areBeside(day.date, older.date); [day] = waiting) {
      yield chosen(day);
      waiting.shift();
    }
    known = known.filter(({ date }) => Math.abs(daysBetween(date, older.date)) <= 2 * daysAside);
    known.push(older);
    waiting.push(older);
  }
  for (const day of waiting) yield chosen(day);
}

const newestFirst = (a: Session, b: Session): number =>
  b.startMs - a.startMs || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);

async function* unpassed<Row extends Session>(
  days: AsyncIterable<SessionDay<Row>>,
  place: PagePlace | undefined,
): AsyncGenerator<SessionDay<Row>> {
  for await (const day of days) {
    if (!place || day.date < place.last[0]) yield day;
    else if (day.date === place.last[0]) {
      const [, startMs, id] = place.last;
      yield { ...day, sessions: day.sessions.filter((row) => newestFirst({ ...row, startMs, id }, row) < 0) };
    }
  }
}

/** Enough for any real day, and few enough for a cursor. */
const mostSettled = 16;

/** Only what lies beside the page's end can touch what comes next. */
const near = (date: string, passed: readonly Settled[]): Settled[] =>
  passed.filter(([other]) => areBeside(other, date)).slice(-mostSettled);

const asSession = ([, startMs, endMs]: Settled): Session => ({ id: '', startMs, endMs, receivedMs: 0 });
const asSessions = (settled: readonly Settled[], date: string): Session[] =>
  settled.filter(([other]) => other === date).map(asSession);
