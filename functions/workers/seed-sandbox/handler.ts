import { onQueue } from '../../runtime/on-queue.ts';
import { seedSandboxWorker } from './worker.ts';

export const handler = onQueue('seed', seedSandboxWorker);
