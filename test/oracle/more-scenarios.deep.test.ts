import { test } from 'vitest';
import { halfOfSeeds, testScenarios } from './test-scenarios.ts';

const seeds = halfOfSeeds(1);
if (seeds.length > 0) testScenarios(seeds);
else test.skip('the only scenario is in the first half', () => {});
