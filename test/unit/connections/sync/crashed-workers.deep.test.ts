import { killAtWrites } from './crashed-workers.ts';

killAtWrites(1);
