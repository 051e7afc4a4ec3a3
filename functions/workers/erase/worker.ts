import type { Deps } from '../../../shared/domain/deps.ts';
import { eraseUser } from '../../../shared/domain/erasure/erase-user.ts';
import { eraseWebhook } from '../../../shared/domain/erasure/erase-webhook.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const eraseWorker =
  (deps: Deps) =>
  async (job: Job<'erase'>): Promise<void> =>
    'user_id' in job ? eraseUser(deps, job.user_id) : eraseWebhook(deps, job.webhook_id);
