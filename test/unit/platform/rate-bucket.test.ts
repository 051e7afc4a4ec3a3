// A draw that waits while time passes is decided by the bucket of that moment.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Table } from '../../../shared/platform/ports.ts';
import { createRowBuckets, type DrawResult } from '../../../shared/platform/rate-bucket.ts';
import { computeBucketState, computeCeilingMs, rateLimit } from '../../../shared/platform/rate-limit.ts';
import { memoryTable } from '../../harness/memory-table.ts';

const key = { pk: 'K#1', sk: '@' };
const Row = z.object({ fullAtMs: z.number(), endsMs: z.number() });
type Draw = DrawResult<z.infer<typeof Row>>;
const startMs = 1_800_000_000_000;

/** The first write of each draw waits until it is released. */
async function stallingBuckets() {
  const table = memoryTable();
  await table.write({ kind: 'put', item: { ...key, fullAtMs: startMs, endsMs: startMs + 3_600_000 } });
  const clock = { nowMs: startMs, now: () => clock.nowMs };
  const waiting: (() => void)[] = [];
  const started = new Set<object>();
  const stalling: Table = {
    ...table,
    async write(write) {
      const { values = {} } = { values: undefined, ...write };
      const draw = values['draw'];
      if (typeof draw === 'object' && draw !== null && !started.has(draw)) {
        started.add(draw);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return table.write(write);
    },
  };
  const buckets = createRowBuckets({ table: stalling, clock, row: Row });
  const begin = (): Promise<Draw> =>
    buckets.draw(clock.now(), {
      key,
      condition: '#endsMs > :now',
      values: { draw: {} },
      matches: ({ endsMs }, nowMs) => endsMs > nowMs,
    });
  /** Lets the draw that has waited longest proceed. */
  const release = () => waiting.shift()?.();
  const drawAtOnce = () => {
    const draw = begin();
    waiting.pop()?.();
    return draw;
  };
  return {
    table,
    clock,
    begin,
    release,
    drawAtOnce,
    countWaiting: () => waiting.length,
    lastSeen: () => buckets.lastSeen(key),
  };
}

test('a draw that stalls while others draw is admitted, because the bucket is full by then', async () => {
  const { clock, begin, release, drawAtOnce } = await stallingBuckets();
  const stalled = begin();
  clock.nowMs += 5_000;
  expect((await drawAtOnce()).outcome).toBe('admitted');
  release();
  const draw = await stalled;
  expect([draw.outcome, draw.nowMs]).toEqual(['admitted', clock.nowMs]);
  expect(computeBucketState(draw.row?.fullAtMs ?? 0, draw.nowMs).remaining).toBe(rateLimit.burst - 2);
});

test('a credential that ends while its draw stalls is refused, and no longer known', async () => {
  const { clock, begin, release, drawAtOnce, lastSeen } = await stallingBuckets();
  const stalled = begin();
  clock.nowMs += 5_000;
  await drawAtOnce();
  expect(lastSeen()).toBeDefined();
  clock.nowMs += 3_600_000;
  release();
  expect((await stalled).outcome).toBe('refused');
  expect(lastSeen()).toBeUndefined();
});

test('for any stalls, only an empty bucket limits, and no more is admitted than it holds and regains', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('begin'), count: fc.integer({ min: 1, max: 120 }) }),
    fc.record({ kind: fc.constant('advance'), count: fc.integer({ min: 1, max: 4_000 }) }),
    fc.record({ kind: fc.constant('release'), count: fc.integer({ min: 1, max: 120 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const { table, clock, begin, release, countWaiting } = await stallingBuckets();
      const draws: Promise<Draw>[] = [];
      let stalledCount = 0;
      const settle = async (count: number) => {
        for (let each = 0; each < Math.min(count, draws.length); each++) {
          release();
          const draw = await draws.shift();
          if (draw?.outcome === 'admitted') admitted++;
          if (draw?.outcome !== 'limited') continue;
          const mark = Row.parse(await table.get(key)).fullAtMs;
          expect(mark).toBeGreaterThan(computeCeilingMs(clock.nowMs));
        }
      };
      let admitted = 0;
      for (const { kind, count } of steps) {
        if (kind === 'begin') for (let each = 0; each < count; each++) draws.push(begin());
        else if (kind === 'release') await settle(count);
        else {
          clock.nowMs += count;
          stalledCount += countWaiting();
        }
      }
      await settle(draws.length);
      // A draw that stalled is recorded as of its arrival, which forgives it at most one request.
      const held = rateLimit.burst + (clock.nowMs - startMs) / rateLimit.intervalMs;
      expect(admitted).toBeLessThanOrEqual(held + stalledCount);
    }),
    { numRuns: 60 },
  );
});
