import { allTries } from '../../harness/tries.ts';
import { testProperties } from './properties.ts';

testProperties(allTries);
