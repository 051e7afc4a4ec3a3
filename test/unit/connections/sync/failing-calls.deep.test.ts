import { testFailuresAtCalls } from './failing-calls.ts';

testFailuresAtCalls(1);
