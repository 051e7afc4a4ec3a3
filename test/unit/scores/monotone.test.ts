import { fewTries } from '../../harness/tries.ts';
import { testMonotone } from './monotone.ts';

testMonotone(fewTries(0.2));
