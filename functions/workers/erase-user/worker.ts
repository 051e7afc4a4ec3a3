import type { Deps } from '../../../shared/domain/deps.ts';
import { eraseUser } from '../../../shared/domain/erase-user.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const eraseUserWorker =
  (deps: Deps) =>
  async ({ user_id }: Job<'erase'>): Promise<void> =>
    eraseUser(deps, user_id);
