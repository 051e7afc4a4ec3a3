import type { Deps } from '../../../shared/domain/deps.ts';
import { ingestUser } from '../../../shared/domain/ingest/ingest-user.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const ingestWorker =
  (deps: Deps) =>
  async ({ user_id }: Job<'ingest'>): Promise<void> =>
    ingestUser(deps, user_id);
