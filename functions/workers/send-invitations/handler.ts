import { onQueue } from '../../runtime/on-queue.ts';
import { sendInvitationsWorker } from './worker.ts';

export const handler = onQueue('mail', sendInvitationsWorker);
