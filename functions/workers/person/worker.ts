import type { Deps } from '../../../shared/domain/deps.ts';
import { writePerson } from '../../../shared/domain/person/write-person.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const personWorker =
  (deps: Deps) =>
  async (job: Job<'person'>, { receives }: { receives: number }): Promise<void> =>
    writePerson(deps, job, { receives });
