import { test } from 'vitest';
import { halfOfLives, testLives } from './test-lives.ts';

const seeds = halfOfLives(1);
if (seeds.length > 0) testLives(seeds);
else test.skip('the only life is in the first half', () => {});
