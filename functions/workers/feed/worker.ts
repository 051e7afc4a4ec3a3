import type { Deps } from '../../../shared/domain/deps.ts';
import { publishEvents } from '../../../shared/domain/events/publish-events.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const feedWorker =
  (deps: Deps) =>
  async ({ rows }: Job<'feed'>): Promise<void> => {
    const ids = rows.map(({ pk }) => pk.replace(/^V#/, ''));
    const failed = await publishEvents(deps, ids);
    if (failed.size > 0) throw new Error(`${failed.size} of ${ids.length} events could not be published`);
  };
