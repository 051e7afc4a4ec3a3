import { deleteAtRandom } from './random-moments.ts';

deleteAtRandom(16);
