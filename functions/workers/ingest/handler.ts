import { onQueue } from '../../../shared/runtime/on-queue.ts';
import { ingestWorker } from './worker.ts';

export const handler = onQueue('ingest', ingestWorker);
