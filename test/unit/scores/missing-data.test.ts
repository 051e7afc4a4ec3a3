import { fewRuns } from '../../harness/property-runs.ts';
import { testMissingData } from './missing-data.ts';

testMissingData(fewRuns(0.2));
