import { fewRuns } from '../../harness/tries.ts';
import { testProperties } from './properties.ts';

testProperties(fewRuns(0.2));
