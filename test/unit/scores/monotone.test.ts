import { fewRuns } from '../../harness/tries.ts';
import { testMonotone } from './monotone.ts';

testMonotone(fewRuns(0.2));
