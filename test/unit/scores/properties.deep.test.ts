import { allRuns } from '../../harness/tries.ts';
import { testProperties } from './properties.ts';

testProperties(allRuns);
