import { fewTries } from '../../harness/tries.ts';
import { testProperties } from './properties.ts';

testProperties(fewTries(0.2));
