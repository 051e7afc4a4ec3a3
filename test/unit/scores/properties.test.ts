import { fewRuns } from '../../harness/property-runs.ts';
import { testProperties } from './properties.ts';

testProperties(fewRuns(0.2));
