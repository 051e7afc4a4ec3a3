import { allRuns } from '../../../harness/tries.ts';
import { testSandboxDays } from './sandbox-days.ts';

testSandboxDays(allRuns);
