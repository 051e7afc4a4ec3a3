import { allTries } from '../../harness/tries.ts';
import { testMonotone } from './monotone.ts';

testMonotone(allTries);
