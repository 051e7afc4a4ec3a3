import { fewRuns } from '../../../harness/tries.ts';
import { testSandboxDays } from './sandbox-days.ts';

testSandboxDays(fewRuns(0.2));
