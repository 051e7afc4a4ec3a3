import { onQueue } from '../../../shared/runtime/on-queue.ts';
import { republishWorker } from './worker.ts';

export const handler = onQueue('publish', republishWorker);
