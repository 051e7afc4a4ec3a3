import { onQueue } from '../../../shared/runtime/on-queue.ts';
import { fanOutWorker } from './worker.ts';

export const handler = onQueue('fan-out', fanOutWorker);
