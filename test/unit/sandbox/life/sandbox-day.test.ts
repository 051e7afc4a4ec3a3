import { fewRuns } from '../../../harness/property-runs.ts';
import { testSandboxDays } from './sandbox-days.ts';

testSandboxDays(fewRuns(0.2));
