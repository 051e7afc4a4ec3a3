import { onQueue } from '../../../shared/runtime/on-queue.ts';
import { seedSandboxWorker } from './worker.ts';

export const handler = onQueue('seed', seedSandboxWorker);
