import { testAgainstNaive } from './compare-with-naive.ts';

testAgainstNaive(400);
