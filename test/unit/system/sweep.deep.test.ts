import { wakeMany } from './sweeping.ts';

wakeMany(100_000);
