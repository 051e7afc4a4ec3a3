import { expect, test } from 'vitest';
import { BoundedCache } from '../../../shared/platform/bounded-cache.ts';

test.each([0, '', false, null])('%j is cached as a value and created once', (value) => {
  const cache = new BoundedCache<string, unknown>(2);
  let calls = 0;
  const make = () => {
    calls++;
    return value;
  };
  expect([cache.getOrCreate('a', make), cache.getOrCreate('a', make), calls]).toEqual([value, value, 1]);
});
