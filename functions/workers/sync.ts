import { processPushChunk } from '../../shared/connections/push/split-push.ts';
import { renewSubscription } from '../../shared/connections/sync/renew-subscription.ts';
import { revokeConsent } from '../../shared/connections/sync/revoke-consent.ts';
import { syncConnection } from '../../shared/connections/sync/sync-connection.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { Job } from '../../shared/system/jobs.ts';
import { onQueue } from '../runtime/on-queue.ts';

export const syncWorker =
  (deps: Deps) =>
  (job: Job<'connection'>, { receives }: { receives: number } = { receives: 1 }): Promise<void> => {
    if ('provider' in job) return renewSubscription(deps, job.provider, job.env);
    if ('chunk_id' in job) return processPushChunk(deps, job.chunk_id);
    const { user_id, device_id } = job;
    return 'revoke' in job
      ? revokeConsent(deps, user_id, device_id)
      : syncConnection(deps, user_id, device_id, { receives });
  };

export const handler = onQueue('connection', syncWorker);
