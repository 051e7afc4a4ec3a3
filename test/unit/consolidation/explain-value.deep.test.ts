import { expect, test } from 'vitest';
import { explainRandomDays } from './test-explanations.ts';

test('thousands of random days explain every value, and every reason occurs', () => {
  const seen = explainRandomDays(3_000);
  expect(Math.min(...seen.values())).toBeGreaterThan(10);
}, 600_000);
