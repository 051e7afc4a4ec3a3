import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { retryAfterMs } from '../../../shared/platform/backoff.ts';

const daySeconds = 86_400;
const instant = fc.integer({ min: 0, max: 4e12 });

describe('Retry-After', () => {
  test('as a date is relative to now', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1e9, max: 4e9 }), fc.integer({ min: -1e6, max: 1e6 }), (nowSeconds, ahead) => {
        const header = new Date((nowSeconds + ahead) * 1000).toUTCString();
        const expected = Math.min(Math.max(ahead, 0), daySeconds) * 1000;
        expect(retryAfterMs(header, nowSeconds * 1000)).toBe(expected);
      }),
    );
  });

  test('with any text is between zero and a day', () => {
    fc.assert(
      fc.property(fc.string(), instant, (header, nowMs) => {
        const delayMs = retryAfterMs(header, nowMs);
        expect(delayMs).toBeGreaterThanOrEqual(0);
        expect(delayMs).toBeLessThanOrEqual(daySeconds * 1000);
      }),
    );
  });
});
