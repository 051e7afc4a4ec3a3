import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedCache } from '../../../shared/platform/bounded-cache.ts';

test('the most recently set entries are kept up to the capacity, and no others', () => {
  const step = fc.record({ key: fc.integer({ min: 0, max: 9 }), deletes: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step), (most, steps) => {
      const cache = new BoundedCache<number, number>(most);
      let kept: { key: number; value: number }[] = [];
      for (const [value, { key, deletes }] of steps.entries()) {
        const others = kept.filter((entry) => entry.key !== key);
        kept = deletes ? others : [...others, { key, value }].slice(-most);
        if (deletes) cache.delete(key);
        else cache.set(key, value);
        for (let each = 0; each <= 9; each++)
          expect(cache.get(each)).toBe(kept.find((entry) => entry.key === each)?.value);
      }
    }),
  );
});

test('a value is created once while it is cached, and again after it was evicted', () => {
  const cache = new BoundedCache<string, string>(2);
  const made: string[] = [];
  const upper = (key: string) =>
    cache.getOrCreate(key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect(['a', 'a', 'b', 'a', 'c', 'a'].map(upper)).toEqual(['A', 'A', 'B', 'A', 'C', 'A']);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});
