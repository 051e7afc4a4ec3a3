import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedCache } from '../../../shared/platform/bounded-cache.ts';

test('the most recently set entries are kept up to the capacity, and no others', () => {
  const step = fc.record({ key: fc.integer({ min: 0, max: 9 }), deletes: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step), (maxEntries, steps) => {
      const cache = new BoundedCache<number, number>(maxEntries);
      let expected: { key: number; value: number }[] = [];
      for (const [value, { key, deletes }] of steps.entries()) {
        const others = expected.filter((entry) => entry.key !== key);
        expected = deletes ? others : [...others, { key, value }].slice(-maxEntries);
        if (deletes) cache.delete(key);
        else cache.set(key, value);
        for (let each = 0; each <= 9; each++)
          expect(cache.get(each)).toBe(expected.find((entry) => entry.key === each)?.value);
      }
    }),
  );
});

test('a value is created once while it is cached, and again after it was evicted', () => {
  const cache = new BoundedCache<string, string>(2);
  const created: string[] = [];
  const upper = (key: string) =>
    cache.getOrCreate(key, () => {
      created.push(key);
      return key.toUpperCase();
    });
  expect(['a', 'a', 'b', 'a', 'c', 'a'].map(upper)).toEqual(['A', 'A', 'B', 'A', 'C', 'A']);
  expect(created).toEqual(['a', 'b', 'c', 'a']);
});
