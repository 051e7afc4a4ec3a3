import { testAgainstNaive } from './against-naive.ts';

testAgainstNaive(3_000);
