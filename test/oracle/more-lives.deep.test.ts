import { test } from 'vitest';
import { halfOfSeeds, testScenarios } from './test-lives.ts';

const seeds = halfOfSeeds(1);
if (seeds.length > 0) testScenarios(seeds);
else test.skip('the only life is in the first half', () => {});
