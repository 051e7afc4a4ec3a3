import { onQueue } from '../../runtime/on-queue.ts';
import { syncWorker } from './worker.ts';

export const handler = onQueue('connection', syncWorker);
