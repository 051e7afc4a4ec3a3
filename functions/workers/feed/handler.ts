import { mergeFeedJobs } from '../../../shared/events/number-events.ts';
import { onQueue } from '../../runtime/on-queue.ts';
import { feedWorker } from './worker.ts';

export const handler = onQueue('feed', feedWorker, mergeFeedJobs);
