import { onQueue } from '../../../shared/runtime/on-queue.ts';
import { scoreWorker } from './worker.ts';

export const handler = onQueue('score', scoreWorker);
