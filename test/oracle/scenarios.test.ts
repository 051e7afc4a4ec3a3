import { selectedSeeds } from './selected-seeds.ts';
import { testScenarios } from './test-scenarios.ts';

testScenarios(selectedSeeds);
