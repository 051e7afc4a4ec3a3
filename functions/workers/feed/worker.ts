import { numberEvents } from '../../../shared/events/number-events.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import type { Job } from '../../../shared/system/jobs.ts';

export const feedWorker =
  (deps: Deps) =>
  async (job: Job<'feed'>): Promise<void> =>
    numberEvents(deps, job);
