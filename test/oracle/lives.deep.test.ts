import { halfOfSeeds, testScenarios } from './test-lives.ts';

testScenarios(halfOfSeeds(0));
