import { killAtWrites } from './killed-workers.ts';

killAtWrites(1);
