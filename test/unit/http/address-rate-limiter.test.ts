// Unauthenticated calls are limited by address, each on its own, in bounded memory.
import { describe, expect, test } from 'vitest';
import { createAddressRateLimiter } from '../../../shared/http/address-rate-limiter.ts';
import { addressRateLimit as policy } from '../../../shared/platform/rate-limit.ts';
import { RateLimited } from '../../../shared/system/admission.ts';

const start = 1_773_000_000_000;
function limited() {
  const clock = { nowMs: start };
  return { clock, take: createAddressRateLimiter({ now: () => clock.nowMs }) };
}
const passes = (take: (address: string) => unknown, address: string): boolean => {
  try {
    take(address);
    return true;
  } catch (error) {
    if (error instanceof RateLimited) return false;
    throw error;
  }
};
const passing = (take: (address: string) => unknown, address: string, times: number): number =>
  Array.from({ length: times }, () => passes(take, address)).filter(Boolean).length;

describe('an address', () => {
  test('may make a burst of calls at once, and then one per interval', () => {
    const { clock, take } = limited();
    expect(passing(take, 'a', 2 * policy.burst)).toBe(policy.burst);
    clock.nowMs += policy.intervalMs - 1;
    expect(passes(take, 'a')).toBe(false);
    clock.nowMs += 1;
    expect(passing(take, 'a', 5)).toBe(1);
    clock.nowMs += 3 * policy.intervalMs;
    expect(passing(take, 'a', 5)).toBe(3);
    clock.nowMs += 24 * 3_600_000;
    expect(passing(take, 'a', 2 * policy.burst)).toBe(policy.burst);
  });

  test('of IPv6 counts with its network, however it is written', () => {
    const { take } = limited();
    const own = ['2001:db8:0:1::', '2001:db8:0:1::2', '2001:0DB8:0000:0001:ffff::1', '2001:db8::1:1:2:3:4'];
    for (let call = 0; call < policy.burst; call++) expect(passes(take, own[call % own.length] ?? '')).toBe(true);
    for (const address of own) expect(passes(take, address)).toBe(false);
    for (const other of ['2001:db8:0:2::2', '2001:db8::1', '::1', '::ffff:127.0.0.1', '10.0.0.1'])
      expect(passes(take, other)).toBe(true);
  });

  test('is not affected by another address', () => {
    const { take } = limited();
    passing(take, 'a', 2 * policy.burst);
    expect([passes(take, 'a'), passes(take, 'b')]).toEqual([false, true]);
  });

  test('gets the remaining count and the time to retry', () => {
    const { take } = limited();
    expect(take('a')).toEqual({ fullAtMs: start + policy.intervalMs, nowMs: start, policy });
    passing(take, 'a', policy.burst);
    expect(() => take('a')).toThrow(
      expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: 1, bucket: expect.anything() }),
    );
  });

  test('that is rejected does not wait longer for having tried', () => {
    const { clock, take } = limited();
    passing(take, 'a', 10 * policy.burst);
    clock.nowMs += policy.intervalMs;
    expect(passes(take, 'a')).toBe(true);
  });
});

describe('many addresses', () => {
  test('are forgotten one by one, the least recently seen first', () => {
    const { take } = limited();
    passing(take, 'flood', policy.burst);
    const others = Array.from({ length: 9_999 }, (_none, n) => `other ${n}`);
    for (const address of others) take(address);
    expect(passes(take, 'flood')).toBe(false);
    take('one more');
    expect(passes(take, 'flood')).toBe(true);
  });

  test('do not lift the limit of one that keeps calling among them', () => {
    const { clock, take } = limited();
    passing(take, 'flood', policy.burst);
    let passed = 0;
    for (let n = 0; n < 30_000; n++) {
      take(`other ${n}`);
      if (n % 100 !== 0) continue;
      clock.nowMs += policy.intervalMs;
      passed += passing(take, 'flood', 10);
    }
    expect(passed).toBe(300);
  });
});
