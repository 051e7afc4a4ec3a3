import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openUntilMs } from '../../../shared/webhooks/circuit-breaker.ts';
import { maxDeliveryAttempts, nextAttemptMs } from '../../../shared/webhooks/delivery-backoff.ts';

const decidedSeconds = [5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400, 86_400];
const daySeconds = 86_400;
const instant = fc.integer({ min: 0, max: 4e12 });
const random = fc.uint8Array({ minLength: 2, maxLength: 2 });

describe('the next attempt', () => {
  test('is never earlier than the schedule or Retry-After, and at most a tenth later', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        instant,
        fc.option(fc.integer({ min: 0, max: 1e9 })),
        random,
        (tries, nowMs, retryAfter, bytes) => {
          const next = nextAttemptMs(tries, nowMs, retryAfter === null ? undefined : String(retryAfter), bytes);
          const minMs = Math.max(decidedSeconds[tries - 1] ?? 0, Math.min(retryAfter ?? 0, daySeconds)) * 1000;
          expect(next).toBeGreaterThanOrEqual(nowMs + minMs);
          expect(next).toBeLessThanOrEqual(nowMs + Math.ceil(minMs * 1.1));
        },
      ),
    );
  });

  test('does not exist after the thirteenth', () => {
    expect(maxDeliveryAttempts).toBe(13);
    expect(nextAttemptMs(13, 0, '5', new Uint8Array(2))).toBeUndefined();
  });
});

test('a failing endpoint is left alone for longer and longer, up to ten minutes', () => {
  const waits = Array.from({ length: 14 }, (_, failures) => openUntilMs(failures, 0) / 1000);
  expect(waits).toEqual([0, 0, 0, 0, 0, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
});
