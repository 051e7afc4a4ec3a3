import { onQueue } from '../../../shared/runtime/on-queue.ts';
import { consolidateWorker } from './worker.ts';

export const handler = onQueue('consolidate', consolidateWorker);
