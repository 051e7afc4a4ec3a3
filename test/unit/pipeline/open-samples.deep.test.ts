import { tryHistories } from './open-samples.ts';

tryHistories(600);
