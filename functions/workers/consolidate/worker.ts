import { rebuild } from '../../../shared/domain/consolidation/rebuild.ts';
import type { Deps } from '../../../shared/domain/deps.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const consolidateWorker =
  (deps: Deps) =>
  async ({ user_id }: Job<'consolidate'>): Promise<void> =>
    rebuild(deps, user_id);
