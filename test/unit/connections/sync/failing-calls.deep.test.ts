import { failAtCalls } from './failing-calls.ts';

failAtCalls(1);
