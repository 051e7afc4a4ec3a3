import { testAgainstNaive } from './compare-with-naive.ts';

testAgainstNaive(3_000);
