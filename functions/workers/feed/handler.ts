import { mergeFeedJobs } from '../../../shared/domain/events/number-events.ts';
import { onQueue } from '../../../shared/runtime/on-queue.ts';
import { feedWorker } from './worker.ts';

export const handler = onQueue('feed', feedWorker, mergeFeedJobs);
