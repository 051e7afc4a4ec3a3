import { onQueue } from '../../../shared/runtime/on-queue.ts';
import { eraseWorker } from './worker.ts';

export const handler = onQueue('erase', eraseWorker);
