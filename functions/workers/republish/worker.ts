import type { Deps } from '../../../shared/domain/deps.ts';
import { publishEvents } from '../../../shared/domain/events/publish-events.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const republishWorker =
  (deps: Deps) =>
  async ({ event_ids }: Job<'publish'>): Promise<void> => {
    const failed = await publishEvents(deps, event_ids);
    if (failed.size > 0) throw new Error(`${failed.size} of ${event_ids.length} events could not be published`);
  };
