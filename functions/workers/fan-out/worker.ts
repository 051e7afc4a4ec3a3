import type { Deps } from '../../../shared/domain/deps.ts';
import { fanOut } from '../../../shared/domain/webhooks/fan-out.ts';
import type { PublishedEvent } from '../../../shared/model/feed-event.ts';

export const fanOutWorker =
  (deps: Deps) =>
  async (event: PublishedEvent): Promise<void> =>
    fanOut(deps, event);
