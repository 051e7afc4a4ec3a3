import { onQueue } from '../../runtime/on-queue.ts';
import { personWorker } from './worker.ts';

export const handler = onQueue('person', personWorker);
