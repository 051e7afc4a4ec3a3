import { fewRuns } from '../../harness/tries.ts';
import { testMissingData } from './missing-data.ts';

testMissingData(fewRuns(0.2));
