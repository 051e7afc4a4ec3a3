import { fewTries } from '../../../harness/tries.ts';
import { testSandboxDays } from './sandbox-days.ts';

testSandboxDays(fewTries(0.2));
