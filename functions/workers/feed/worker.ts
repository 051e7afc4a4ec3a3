import type { Deps } from '../../../shared/domain/deps.ts';
import { numberEvents } from '../../../shared/domain/events/number-events.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const feedWorker =
  (deps: Deps) =>
  async (job: Job<'feed'>): Promise<void> =>
    numberEvents(deps, job);
