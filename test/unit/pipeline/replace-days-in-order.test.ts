import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionDay } from '../../../shared/measurements/rows/session-rows.ts';
import { sortSessions } from '../../../shared/pipeline/merge-sessions.ts';
import { replaceDaysInOrder } from '../../../shared/pipeline/replace-days-in-order.ts';

interface Row {
  id: string;
  startMs: number;
}
const rowOf = (id: string): Row => ({ id, startMs: id.charCodeAt(0) });
const on = (date: string, revision: number, ids: string): SessionDay<Row> => ({
  date,
  revision,
  sessions: sortSessions(Array.from(ids, rowOf)),
});
const idsOn = ({ sessions }: SessionDay<Row>): string => sessions.map(({ id }) => id).join('');

/**
 * A table whose days change as the store would change them; `refuses` says which write conflicts
 * with another worker.
 */
function tableOf(days: readonly SessionDay<Row>[], refuses: (write: number) => boolean = () => false) {
  const rows = new Map(days.map((day) => [day.date, day]));
  const written: string[] = [];
  const seen: string[] = [];
  return {
    written,
    /** Every session that is stored somewhere, after each write. */
    seen,
    rows,
    replace: async (day: SessionDay<Row>): Promise<boolean> => {
      if (refuses(written.length + 1) || (rows.get(day.date)?.revision ?? 0) !== day.revision) return false;
      rows.set(day.date, { ...day, revision: day.revision + 1 });
      written.push(`${day.date} ${idsOn(day)}`);
      seen.push([...new Set([...rows.values()].flatMap((each) => Array.from(idsOn(each))))].sort().join(''));
      return true;
    },
  };
}
const byDate = (days: readonly SessionDay<Row>[]) => new Map(days.map((day) => [day.date, day]));

describe('sessions that move from day to day', () => {
  test('are written to the day they join, then removed from the day they leave', async () => {
    const stored = [on('10', 1, 'ab'), on('11', 0, '')];
    const { replace, written } = tableOf(stored);
    expect(await replaceDaysInOrder([on('10', 1, 'a'), on('11', 0, 'b')], byDate(stored), replace)).toBe(true);
    expect(written).toEqual(['11 b', '10 a']);
  });

  test('are on both days for a while where a day gains one session and loses another', async () => {
    const stored = [on('10', 3, 'a'), on('11', 5, 'b'), on('12', 0, '')];
    const { replace, written } = tableOf(stored);
    const days = [on('10', 3, ''), on('11', 5, 'a'), on('12', 0, 'b')];
    expect(await replaceDaysInOrder(days, byDate(stored), replace)).toBe(true);
    expect(written.slice(0, 2).sort()).toEqual(['11 ab', '12 b']);
    expect(written.slice(2).sort()).toEqual(['10 ', '11 a']);
  });

  test('do not leave when the write of the day they move to is refused', async () => {
    const stored = [on('10', 3, 'a'), on('11', 5, 'b'), on('12', 0, '')];
    const met = { ...on('12', 1, 'c') };
    const { replace, rows } = tableOf([...stored.slice(0, 2), met]);
    const days = [on('10', 3, ''), on('11', 5, 'a'), on('12', 0, 'b')];
    expect(await replaceDaysInOrder(days, byDate(stored), replace)).toBe(false);
    expect(idsOn(rows.get('10') ?? met)).toBe('a');
    expect(idsOn(rows.get('11') ?? met)).toContain('b');
  });

  test('that are stored twice leave one day after the other was written again', async () => {
    const stored = [on('10', 1, 'a'), on('11', 1, 'ab')];
    const { replace, written } = tableOf(stored);
    expect(await replaceDaysInOrder([on('10', 1, ''), on('11', 1, 'ab')], byDate(stored), replace)).toBe(true);
    expect(written).toEqual(['11 ab', '10 ']);
  });

  test('that are removed for good, or new, wait for no other write', async () => {
    const stored = [on('10', 1, 'a'), on('11', 1, 'b')];
    const { replace, written } = tableOf(stored);
    expect(await replaceDaysInOrder([on('10', 1, ''), on('11', 1, 'bc')], byDate(stored), replace)).toBe(true);
    expect(written.toSorted()).toEqual(['10 ', '11 bc']);
  });

  test('that are stored twice stay until the day that keeps them, and loses another, was written again', async () => {
    const stored = [on('10', 1, 'a'), on('11', 1, 'ab'), on('12', 0, '')];
    const { replace, written } = tableOf(stored);
    const days = [on('10', 1, ''), on('11', 1, 'a'), on('12', 0, 'b')];
    expect(await replaceDaysInOrder(days, byDate(stored), replace)).toBe(true);
    expect(written.slice(0, 2).sort()).toEqual(['11 ab', '12 b']);
    expect(written.slice(2).sort()).toEqual(['10 ', '11 a']);
  });

  test('that are stored twice are not lost when a stale writer keeps a different copy than its successor', async () => {
    const stored = [on('10', 1, 'ac'), on('11', 1, 'ab'), on('12', 0, ''), on('13', 0, '')];
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (turns) => {
        const table = tableOf(stored);
        const inTurn = async (day: SessionDay<Row>): Promise<boolean> => {
          await turns.schedule(Promise.resolve());
          return table.replace(day);
        };
        await turns.waitFor(
          Promise.all([
            replaceDaysInOrder([on('10', 1, 'c'), on('11', 1, 'a'), on('12', 0, 'b')], byDate(stored), inTurn),
            replaceDaysInOrder([on('10', 1, 'a'), on('11', 1, 'b'), on('13', 0, 'c')], byDate(stored), inTurn),
          ]),
        );
        expect(new Set(table.seen)).toEqual(new Set(['abc']));
      }),
      { numRuns: 500 },
    );
  });

  test('that are removed permanently are neither waited for nor kept in the meantime', async () => {
    const stored = [on('10', 1, 'x'), on('11', 1, 'by'), on('12', 1, 'a')];
    const { replace, written } = tableOf(stored);
    const days = [on('10', 1, ''), on('11', 1, 'a'), on('12', 1, 'b')];
    expect(await replaceDaysInOrder(days, byDate(stored), replace)).toBe(true);
    expect(written.slice(0, 3).sort()).toEqual(['10 ', '11 ab', '12 ab']);
  });

  test('are always stored somewhere, for any moves and any last write', async () => {
    const dates = ['10', '11', '12', '13'];
    const arbitraryMoves = fc.array(fc.tuple(fc.subarray(dates, { minLength: 1 }), fc.constantFrom(...dates)), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(arbitraryMoves, fc.integer({ min: 1, max: 9 }), async (moves, refused) => {
        const ids = Array.from('abcdefgh').slice(0, moves.length);
        const stored = dates.map((date) =>
          on(date, 1, ids.filter((_id, at) => moves[at]?.[0].includes(date)).join('')),
        );
        const wanted = dates.map((date) => on(date, 1, ids.filter((_id, at) => moves[at]?.[1] === date).join('')));
        const changed = wanted.filter((day, at) => idsOn(day) !== idsOn(stored[at] ?? day));
        const table = tableOf(stored, (write) => write === refused);
        const isApplied = await replaceDaysInOrder(changed, byDate(stored), table.replace);
        expect(new Set(table.seen)).toEqual(new Set(table.seen.length === 0 ? [] : [ids.join('')]));
        if (isApplied) expect([...table.rows.values()].map(idsOn)).toEqual(wanted.map(idsOn));
      }),
    );
  });
});
