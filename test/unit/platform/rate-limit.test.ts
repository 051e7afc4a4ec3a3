import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  computeBucketState,
  computeRetryAfterSeconds,
  maxPerRow,
  maxPerSecond,
  rateLimit,
  ratePolicy,
  userTokenRateLimit,
} from '../../../shared/platform/rate-limit.ts';

const now = fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 });
/** How long ago the bucket was full, or how far it is from full: long idle, in use, empty. */
const debt = fc.integer({ min: -5000, max: rateLimit.burst * rateLimit.intervalMs });

/**
 * A plain bucket: a request takes ten milliseconds of its credit, and every millisecond gives one
 * back.
 */
const creditAt = (debtMs: number, laterMs: number) => 2000 - Math.max(0, debtMs - laterMs);
const passingAtOnce = (credit: number) => {
  let passed = 0;
  for (let left = credit; left >= 10; left -= 10) passed++;
  return passed;
};

test('the limit is 100 a second with a burst of 200; for the tokens of a user it is 10 with a burst of 50', () => {
  expect(rateLimit).toEqual({ perSecond: 100, burst: 200, rows: 1, intervalMs: 10 });
  expect(userTokenRateLimit).toEqual({ perSecond: 10, burst: 50, rows: 1, intervalMs: 100 });
});

test('the rows of a bucket together hold no more than the whole and nearly all of it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: maxPerSecond }), now, (perSecond, at) => {
      const policy = ratePolicy(perSecond);
      const { rows, intervalMs, burst } = policy;
      expect((rows * 1000) / intervalMs).toBeLessThanOrEqual(perSecond + 1e-9);
      expect((rows * 1000) / intervalMs).toBeGreaterThan(0.998 * perSecond);
      expect(1000 / intervalMs).toBeLessThanOrEqual(maxPerRow);
      const { remaining } = computeBucketState(at, at, policy);
      expect(remaining).toBeLessThanOrEqual(burst);
      expect(remaining).toBeGreaterThan(burst - rows);
      // One request more or less is visible, however the interval is divided.
      const perRow = remaining / rows;
      for (const drawn of [1, Math.floor(perRow / 2), perRow]) {
        const mark = Math.round((at + drawn * intervalMs) * 1000) / 1000;
        expect(computeBucketState(mark, at, policy).remaining).toBe((perRow - drawn) * rows);
      }
    }),
  );
});

test('`remaining` is the number of requests that would pass at once', () => {
  fc.assert(
    fc.property(now, debt, (at, deficitMs) => {
      expect(computeBucketState(at + deficitMs, at).remaining).toBe(passingAtOnce(creditAt(deficitMs, 0)));
    }),
  );
});

test('the bucket is full again after the stated seconds and not a second earlier', () => {
  fc.assert(
    fc.property(now, debt, (at, deficitMs) => {
      const { fullInSeconds } = computeBucketState(at + deficitMs, at);
      expect(creditAt(deficitMs, fullInSeconds * 1000)).toBe(2000);
      if (fullInSeconds > 0) expect(creditAt(deficitMs, (fullInSeconds - 1) * 1000)).toBeLessThan(2000);
    }),
  );
});

test('a request passes after Retry-After and would not a second earlier, unless that is no wait at all', () => {
  fc.assert(
    fc.property(now, fc.integer({ min: 1991, max: 60_000 }), (at, deficitMs) => {
      const seconds = computeRetryAfterSeconds(at + deficitMs, at);
      expect(creditAt(deficitMs, seconds * 1000)).toBeGreaterThanOrEqual(10);
      expect(seconds === 1 || creditAt(deficitMs, (seconds - 1) * 1000) < 10).toBe(true);
      expect(seconds).toBeGreaterThanOrEqual(1);
    }),
  );
});

test('a mark that others moved beyond the bucket never shows a negative remainder', () => {
  fc.assert(
    fc.property(now, fc.integer({ min: 2000, max: 100_000 }), (at, deficitMs) => {
      expect(computeBucketState(at + deficitMs, at)).toEqual({ remaining: 0, fullInSeconds: 2 });
    }),
  );
});
