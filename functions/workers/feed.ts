import { mergeFeedJobs, numberEvents } from '../../shared/events/number-events.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { Job } from '../../shared/system/jobs.ts';
import { countDeliveries } from '../../shared/webhooks/event-routing.ts';
import { onQueue } from '../runtime/on-queue.ts';

export const feedWorker =
  (deps: Pick<Deps, 'store' | 'bus' | 'clock' | 'log'>) =>
  async (job: Job<'feed'>): Promise<void> =>
    numberEvents(deps, job, countDeliveries);

export const handler = onQueue('feed', feedWorker, mergeFeedJobs);
