import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameSession, type Session } from '../../../../shared/measurements/deduplicate-sessions.ts';
import type { SessionDay } from '../../../../shared/measurements/rows/session-rows.ts';
import { addDays, dayMs } from '../../../../shared/platform/time/local-day.ts';
import {
  buildSessionPage,
  type PagePosition,
  parsePagePosition,
  serializePagePosition,
} from '../../../../shared/reads/sessions/session-page.ts';

interface Row extends Session {
  device: number;
  date: string;
}

const firstDay = '2026-03-01';
const range = { from: addDays(firstDay, 2), to: addDays(firstDay, 6) };
const hourMs = 3_600_000;
const choice = { isEligible: ({ device }: Row) => device < 3, compare: (a: Row, b: Row) => a.device - b.device };

/** The days of the range and two on each side, newest first, as the table returns them. */
function daysOf(rows: readonly Row[], from = firstDay, to = addDays(firstDay, 8)): SessionDay<Row>[] {
  const byDate = Map.groupBy(rows, ({ date }) => date);
  return [...byDate]
    .filter(([date]) => date >= from && date <= to)
    .map(([date, sessions]) => ({ date, sessions, revision: 1 }))
    .sort((a, b) => (a.date < b.date ? 1 : -1));
}

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

/** Reads all pages; the rows that `arrive` returns between two pages are there from then on. */
async function pagesOf(
  rows: readonly Row[],
  limit: number,
  arrive: (page: number) => Row[] = () => [],
): Promise<Row[]> {
  const stored = [...rows];
  const seen: Row[] = [];
  let position: PagePosition | undefined;
  for (let page = 1; ; page++) {
    const found = await buildSessionPage(each(daysOf(stored)), range, limit, choice, position);
    expect(found.sessions.length).toBeLessThanOrEqual(limit);
    seen.push(...found.sessions.map(({ row }) => row));
    if (!found.next) return seen;
    position = parsePagePosition(serializePagePosition(found.next));
    stored.push(...arrive(page));
  }
}

let createdCount = 0;
/**
 * A night of the nth day: devices differ by minutes, and one of them may date it a day or two off.
 */
const report = fc
  .record({
    day: fc.integer({ min: 0, max: 7 }),
    nap: fc.boolean(),
    device: fc.integer({ min: 0, max: 3 }),
    lateMinutes: fc.integer({ min: 0, max: 40 }),
    longerMinutes: fc.integer({ min: 0, max: 40 }),
    datedOff: fc.constantFrom(0, 0, 0, 1, 2),
  })
  .map(({ day, nap, device, lateMinutes, longerMinutes, datedOff }): Row => {
    const startMs = Date.parse(firstDay) + day * dayMs + (nap ? 13 : 1) * hourMs + lateMinutes * 60_000;
    const endMs = startMs + (nap ? 2 : 6) * hourMs + longerMinutes * 60_000;
    return {
      id: `s${++createdCount}`,
      startMs,
      endMs,
      receivedMs: createdCount,
      device,
      date: addDays(firstDay, day + datedOff),
    };
  });
const reports = fc.array(report, { maxLength: 40 });
const limits = fc.integer({ min: 1, max: 9 });

const ids = (rows: readonly Row[]) => rows.map(({ id }) => id);

test('pages of any size hold what one large page holds, in the same order', async () => {
  await fc.assert(
    fc.asyncProperty(reports, limits, async (rows, limit) => {
      const complete = await pagesOf(rows, 1_000);
      expect(ids(await pagesOf(rows, limit))).toEqual(ids(complete));
      expect(
        complete.toSorted((a, b) =>
          a.date < b.date ? 1 : a.date > b.date ? -1 : b.startMs - a.startMs || (a.id < b.id ? 1 : -1),
        ),
      ).toEqual(complete);
      for (const row of complete) expect(complete.filter((other) => isSameSession(row, other))).toEqual([row]);
    }),
  );
});

test('for any arrivals between pages, no session of the first moment is missed and none is shown twice', async () => {
  await fc.assert(
    fc.asyncProperty(reports, limits, fc.array(reports, { maxLength: 20 }), async (rows, limit, arrivals) => {
      const complete = await pagesOf(rows, 1_000);
      const seen = await pagesOf(rows, limit, (page) =>
        (arrivals[page - 1] ?? []).filter(({ date }) => date >= range.from),
      );
      for (const row of complete) expect(seen.filter((other) => isSameSession(row, other)).length, row.id).toBe(1);
      for (const row of seen) expect(seen.filter((other) => isSameSession(row, other))).toEqual([row]);
    }),
  );
});

const nightAt = (id: string, device: number, date: number, startHour: number): Row => {
  const startMs = Date.parse(firstDay) + 5 * dayMs + startHour * hourMs;
  return { id, startMs, endMs: startMs + hourMs, receivedMs: 1, device, date: addDays(firstDay, date) };
};

test('reports of the same hours that are three days apart are two sessions, on one page or two', async () => {
  const rows = [nightAt('better', 0, 5, 0), nightAt('worse', 1, 2, 0)];
  for (const limit of [1, 9]) expect(ids(await pagesOf(rows, limit))).toEqual(['better', 'worse']);
});

test('a session after the range hides a report of itself within the range, also on the second page', async () => {
  const itself = [nightAt('after', 0, 8, 0), nightAt('of the one after', 1, 6, 0)];
  const rows = [...itself, nightAt('first', 1, 6, 9), nightAt('second', 1, 4, 20)];
  for (const limit of [1, 9]) expect(ids(await pagesOf(rows, limit))).toEqual(['first', 'second']);
});

test('a session that is stored on two days while it moves is shown once', async () => {
  await fc.assert(
    fc.asyncProperty(reports, limits, fc.constantFrom(1, 2), async (rows, limit, by) => {
      const moving = rows.map((row) => ({ ...row, date: addDays(row.date, by) }));
      const shown = ids(await pagesOf([...rows, ...moving], limit));
      expect(shown.toSorted()).toEqual([...new Set(shown)].sort());
    }),
  );
  const night = nightAt('moving', 0, 4, 0);
  for (const limit of [1, 9])
    expect(await pagesOf([night, { ...night, date: addDays(firstDay, 5) }], limit)).toMatchObject([
      { id: 'moving', date: addDays(firstDay, 5) },
    ]);
});
