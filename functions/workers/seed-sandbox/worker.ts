import type { Deps } from '../../../shared/domain/deps.ts';
import type { Job } from '../../../shared/model/jobs.ts';
import { feedSandbox } from '../../../shared/sandbox/feed.ts';

export const seedSandboxWorker =
  (deps: Deps) =>
  async ({ user_id }: Job<'seed'>): Promise<void> =>
    feedSandbox(deps, user_id);
