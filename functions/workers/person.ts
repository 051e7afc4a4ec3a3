import { eraseUser } from '../../shared/erasure/erase-user.ts';
import { writePerson } from '../../shared/pipeline/writer/write-person.ts';
import type { Deps } from '../../shared/system/deps.ts';
import type { Job } from '../../shared/system/jobs.ts';
import { onQueue } from '../runtime/on-queue.ts';

export const personWorker =
  (deps: Deps) =>
  async (job: Job<'person'>, { receives }: { receives: number }): Promise<void> =>
    writePerson(deps, job, { receives, eraseUser });

export const handler = onQueue('person', personWorker);
