import type { Deps } from '../../../shared/domain/deps.ts';
import { recomputeScores } from '../../../shared/domain/scores/recompute.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const scoreWorker =
  (deps: Deps) =>
  async ({ user_id }: Job<'score'>): Promise<void> =>
    recomputeScores(deps, user_id);
