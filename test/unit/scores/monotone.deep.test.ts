import { allRuns } from '../../harness/tries.ts';
import { testMonotone } from './monotone.ts';

testMonotone(allRuns);
