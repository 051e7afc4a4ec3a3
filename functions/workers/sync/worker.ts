import type { Deps } from '../../../shared/domain/deps.ts';
import { takePiece } from '../../../shared/domain/sync/hand-on-push.ts';
import { keepSubscribed } from '../../../shared/domain/sync/keep-subscribed.ts';
import { revokeConsent } from '../../../shared/domain/sync/revoke-consent.ts';
import { syncConnection } from '../../../shared/domain/sync/sync-connection.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const syncWorker =
  (deps: Deps) =>
  (job: Job<'connection'>): Promise<void> => {
    if ('provider' in job) return keepSubscribed(deps, job.provider, job.env);
    if ('piece_id' in job) return takePiece(deps, job.piece_id);
    const { user_id, device_id } = job;
    return 'revoke' in job ? revokeConsent(deps, user_id, device_id) : syncConnection(deps, user_id, device_id);
  };
