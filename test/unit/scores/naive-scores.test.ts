import { testAgainstNaive } from './against-naive.ts';

testAgainstNaive(400);
