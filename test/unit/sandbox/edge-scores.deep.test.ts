import { testEdgeScores } from './edge-scores.ts';

testEdgeScores(3);
