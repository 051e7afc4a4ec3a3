import { allRuns } from '../../harness/property-runs.ts';
import { testMonotone } from './monotone.ts';

testMonotone(allRuns);
