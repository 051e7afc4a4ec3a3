import type { Deps } from '../../../shared/domain/deps.ts';
import { eraseWebhook } from '../../../shared/domain/erasure/erase-webhook.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const eraseWorker =
  (deps: Deps) =>
  async ({ webhook_id }: Job<'erase'>): Promise<void> =>
    eraseWebhook(deps, webhook_id);
