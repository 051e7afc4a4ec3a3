import { allRuns } from '../../harness/tries.ts';
import { testMissingData } from './missing-data.ts';

testMissingData(allRuns);
