import type { Deps } from '../../../shared/domain/deps.ts';
import { deliver } from '../../../shared/domain/webhooks/deliver.ts';
import { endpointBulkhead } from '../../../shared/domain/webhooks/endpoint-bulkhead.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const deliverWorker = (deps: Deps) => {
  const bulkhead = endpointBulkhead();
  return async (job: Job<'deliver'>): Promise<void> => deliver(deps, bulkhead, job);
};
