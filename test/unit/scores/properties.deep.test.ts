import { allRuns } from '../../harness/property-runs.ts';
import { testProperties } from './properties.ts';

testProperties(allRuns);
