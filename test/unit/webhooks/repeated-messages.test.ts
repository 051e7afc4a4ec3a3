import { testRepeats } from './test-repeated-messages.ts';

testRepeats(6);
