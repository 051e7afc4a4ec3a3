import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  adjustLanes,
  type ClaimResult,
  isFailedClaim,
  isLate,
  maxEventsPerSecond,
  maxLanes,
  slowDown,
} from '../../../shared/webhooks/catch-up-lanes.ts';

const good: ClaimResult = { attempted: 320, failed: 0, durationMs: 10_000, isStopped: false };

test('parallelism begins with one worker and grows by one in each round that succeeds, up to a share', () => {
  let lanes = 1;
  const perRound = [1, 2, 3].map(() => {
    const count = Math.floor(lanes);
    for (let claim = 0; claim < count; claim += 1) lanes = adjustLanes(lanes, lanes, good);
    return Math.floor(lanes);
  });
  expect(perRound).toEqual([2, 2, 3]);
  for (let claim = 0; claim < 1_000; claim += 1) lanes = adjustLanes(lanes, lanes, { ...good, durationMs: 60_000 });
  expect(lanes).toBe(maxLanes);
});

test('workers whose claims fail together halve the parallelism once', () => {
  const failed = { ...good, failed: 33 };
  expect(isFailedClaim(failed)).toBe(true);
  const after = [8, 8, 8, 8].reduce((lanes, atStart) => adjustLanes(lanes, atStart, failed), 8);
  expect(after).toBe(4);
  expect(slowDown(1, 1)).toBe(1);
});

test('a tenth of failed attempts is no failure of the endpoint, and a chunk that fails as a whole is one', () => {
  expect(isFailedClaim({ ...good, failed: 32 })).toBe(false);
  expect(isFailedClaim({ ...good, isStopped: true })).toBe(true);
  expect([isLate(2_000), isLate(2_001)]).toEqual([false, true]);
});

test('there is at least one worker, and together they are never faster than the partition of the deliveries bears', () => {
  const result = fc.record({
    attempted: fc.nat(320),
    failed: fc.nat(20),
    durationMs: fc.integer({ min: 1, max: 30_000 }),
    isStopped: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.double({ min: 1, max: maxLanes, noNaN: true }), result, (before, each) => {
      const lanes = adjustLanes(before, before, each);
      expect(lanes).toBeGreaterThanOrEqual(1);
      expect(lanes).toBeLessThanOrEqual(maxLanes);
      const perSecond = (lanes * each.attempted * 1000) / each.durationMs;
      if (lanes > 1 && !isFailedClaim(each)) expect(perSecond).toBeLessThanOrEqual(maxEventsPerSecond + 0.01);
    }),
  );
});
