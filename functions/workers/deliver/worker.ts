import type { Deps } from '../../../shared/domain/deps.ts';
import { deliver } from '../../../shared/domain/webhooks/deliver.ts';
import { endpointBulkhead } from '../../../shared/domain/webhooks/endpoint-bulkhead.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const deliverWorker = (deps: Deps) => {
  const bulkhead = endpointBulkhead();
  const underWay = new Set<string>();
  return async (job: Job<'deliver'>): Promise<void> => {
    // A message and the sweep's for the same work often come together: who is at it finishes it.
    const name = JSON.stringify(job);
    if (underWay.has(name)) return;
    underWay.add(name);
    try {
      await deliver(deps, bulkhead, job);
    } finally {
      underWay.delete(name);
    }
  };
};
