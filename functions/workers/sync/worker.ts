import type { Deps } from '../../../shared/domain/deps.ts';
import { takePiece } from '../../../shared/domain/sync/hand-on-push.ts';
import { keepSubscribed } from '../../../shared/domain/sync/keep-subscribed.ts';
import { syncDevice } from '../../../shared/domain/sync/sync-device.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const syncWorker =
  (deps: Deps) =>
  (job: Job<'sync'>): Promise<void> => {
    if ('device_id' in job) return syncDevice(deps, job.user_id, job.device_id);
    return 'piece_id' in job ? takePiece(deps, job.piece_id) : keepSubscribed(deps, job.provider, job.env);
  };
