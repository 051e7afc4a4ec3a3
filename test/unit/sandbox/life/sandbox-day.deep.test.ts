import { allRuns } from '../../../harness/property-runs.ts';
import { testSandboxDays } from './sandbox-days.ts';

testSandboxDays(allRuns);
