import { onQueue } from '../../../shared/runtime/on-queue.ts';
import { eraseUserWorker } from './worker.ts';

export const handler = onQueue('erase', eraseUserWorker);
