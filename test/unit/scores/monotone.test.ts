import { fewRuns } from '../../harness/property-runs.ts';
import { testMonotone } from './monotone.ts';

testMonotone(fewRuns(0.2));
