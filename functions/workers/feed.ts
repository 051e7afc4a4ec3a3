import { mergeFeedJobs, type NumberingDeps, numberEvents } from '../../shared/events/number-events.ts';
import type { Job } from '../../shared/system/jobs.ts';
import { countDeliveries } from '../../shared/webhooks/event-routing.ts';
import { onQueue } from '../runtime/on-queue.ts';

export const feedWorker =
  (deps: NumberingDeps) =>
  async (job: Job<'feed'>, { receives }: { receives: number } = { receives: 1 }): Promise<void> =>
    numberEvents(deps, job, { countDeliveries, receives });

export const handler = onQueue('feed', feedWorker, mergeFeedJobs);
