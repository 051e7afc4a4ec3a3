import { allRuns } from '../../harness/property-runs.ts';
import { testMissingData } from './missing-data.ts';

testMissingData(allRuns);
