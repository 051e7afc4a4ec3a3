import { halfOfSeeds, testScenarios } from './test-scenarios.ts';

testScenarios(halfOfSeeds(0));
