import { fewTries } from '../../harness/tries.ts';
import { testMissingData } from './missing-data.ts';

testMissingData(fewTries(0.2));
