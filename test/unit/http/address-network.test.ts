// Which callers count as one when an IPv4 address is written as IPv6.
import { expect, test } from 'vitest';
import { createAddressRateLimiter } from '../../../shared/http/address-rate-limiter.ts';
import { addressRateLimit as policy } from '../../../shared/platform/rate-limit.ts';
import { RateLimited } from '../../../shared/system/admission.ts';

const limited = () => createAddressRateLimiter({ now: () => 1_773_000_000_000 });
const exhaust = (take: (address: string) => unknown, address: string) => {
  for (let call = 0; call < policy.burst; call++) take(address);
};

test('an IPv4 address written as IPv6 has its own limit', () => {
  const take = limited();
  exhaust(take, '::ffff:192.0.2.1');
  expect(() => take('::ffff:192.0.2.1')).toThrow(RateLimited);
  expect(() => take('::ffff:192.0.2.2')).not.toThrow();
  expect(() => take('::1')).not.toThrow();
});
