import { eraseUser } from '../../shared/erasure/erase-user.ts';
import { writeUser } from '../../shared/pipeline/writer/write-user.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { Job } from '../../shared/system/jobs.ts';
import { onQueue } from '../runtime/on-queue.ts';

export const userWorker =
  (deps: Deps) =>
  async (job: Job<'user'>, { receives }: { receives: number }): Promise<void> =>
    writeUser(deps, job, { receives, eraseUser });

export const handler = onQueue('user', userWorker);
