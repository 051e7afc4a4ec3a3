import { selectedSeeds } from './chosen-lives.ts';
import { testScenarios } from './test-lives.ts';

testScenarios(selectedSeeds);
