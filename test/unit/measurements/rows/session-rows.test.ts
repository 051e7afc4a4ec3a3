import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { sessionRows, type Trace } from '../../../../shared/measurements/rows/session-rows.ts';
import type { Item, Table } from '../../../../shared/platform/ports.ts';
import { keys } from '../../../../shared/system/keys.ts';
import { memoryTable } from '../../../harness/memory-table.ts';
import { storeOn } from '../../../harness/store-on.ts';

const day = { date: '2026-03-10', sessions: [], revision: 0 };

const sizeOf = ({ v }: Item): number => (v instanceof Uint8Array ? v.length : 0);

/** Records the items and bytes of each transaction. */
function recordTransactions(): { table: Table; together: { items: number; bytes: number }[] } {
  const together: { items: number; bytes: number }[] = [];
  const table = memoryTable();
  return {
    together,
    table: {
      ...table,
      transact(writes) {
        const items = writes.flatMap((write) => (write.kind === 'put' ? [write.item] : []));
        together.push({ items: items.length, bytes: items.reduce((sum, item) => sum + sizeOf(item), 0) });
        return table.transact(writes);
      },
    },
  };
}

/** Numbers that cannot be compressed. */
let state = 1;
const noise = (): number => (state = (state * 48_271) % 2_147_483_647);
function traces(count: number, length: number): Trace[] {
  const points = Array.from({ length }, () => ({ atMs: noise(), bpm: 100 }));
  return Array.from({ length: count }, (_none, at) => ({ workout: `wrk_${at}`, name: `trace_${at}`, points }));
}

describe('a day of workouts with more traces than one transaction takes', () => {
  test.each([
    ['in number', 120, 1],
    ['in bytes', 12, 70_000],
  ])('%s is written completely', async (_which, count, points) => {
    const user = 'usr_a';
    const { table, together } = recordTransactions();
    const sessions = sessionRows(storeOn(table));
    const all = traces(count, points);
    expect(await sessions.workouts.replace(user, day, all)).toBe(true);
    expect(together).toHaveLength(1);
    expect(together[0]?.items).toBeLessThanOrEqual(100);
    expect(together[0]?.bytes).toBeLessThan(4_000_000);
    const written = await table.batchGet(all.map(({ workout }) => keys.trace(user, workout)));
    expect(written).toHaveLength(count);
  });
});

test('traces of several workouts are read in one call, complete and in the requested order, and missing ones are left out', async () => {
  const table = memoryTable();
  const requestedCounts: number[] = [];
  const sessions = sessionRows(
    storeOn({
      ...table,
      batchGet(wanted, options) {
        requestedCounts.push(wanted.length);
        return table.batchGet(wanted, options);
      },
    }),
  );
  const [small, large] = [traces(1, 3)[0], { ...traces(1, 70_000)[0], workout: 'wrk_large' }];
  if (!small || !large.points || !large.name) throw new Error('No traces were made.');
  const allTraces: Trace[] = [small, { workout: large.workout, name: large.name, points: large.points }];
  expect(await sessions.workouts.replace('usr_a', day, allTraces)).toBe(true);
  const found = [];
  for await (const each of sessions.iterateTraces('usr_a', ['wrk_large', 'wrk_none', 'wrk_0'])) found.push(each);
  expect(found.map(({ workout }) => workout)).toEqual(['wrk_large', 'wrk_0']);
  const points = found.map((each) => each.points);
  expect(isDeepStrictEqual(points, [large.points, small.points])).toBe(true);
  // The chunks of the large one are read after it.
  expect(requestedCounts).toEqual([3, expect.any(Number)]);
});

test('a day that changed since it was read is rejected together with its traces', async () => {
  const sessions = sessionRows(storeOn(memoryTable()));
  expect(await sessions.workouts.replace('usr_a', day)).toBe(true);
  expect(await sessions.workouts.replace('usr_a', day, traces(1, 1))).toBe(false);
  expect(await sessions.findTrace('usr_a', 'wrk_0')).toBeNull();
});
