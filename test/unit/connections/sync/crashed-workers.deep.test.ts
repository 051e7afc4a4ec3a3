import { testCrashesAtWrites } from './crashed-workers.ts';

testCrashesAtWrites(1);
