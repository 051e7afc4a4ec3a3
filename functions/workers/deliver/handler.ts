import { onQueue } from '../../runtime/on-queue.ts';
import { deliverWorker } from './worker.ts';

export const handler = onQueue('deliver', deliverWorker);
