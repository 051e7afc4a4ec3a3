import type { Deps } from '../../../shared/domain/deps.ts';
import { fanOut } from '../../../shared/domain/webhooks/fan-out.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const fanOutWorker =
  (deps: Deps) =>
  async (page: Job<'fan-out'>): Promise<void> =>
    fanOut(deps, page);
