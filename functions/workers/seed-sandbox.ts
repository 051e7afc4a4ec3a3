import { feedSandbox } from '../../shared/sandbox/feed-sandbox.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { Job } from '../../shared/system/jobs.ts';
import { onQueue } from '../runtime/on-queue.ts';

export const seedSandboxWorker =
  (deps: Deps) =>
  async ({ user_id }: Job<'seed'>): Promise<void> =>
    feedSandbox(deps, user_id);

export const handler = onQueue('seed', seedSandboxWorker);
