import type { Deps } from '../../shared/system/deps.ts';
import type { Job } from '../../shared/system/jobs.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import { endpointBulkhead } from '../../shared/webhooks/endpoint-bulkhead.ts';
import { onQueue } from '../runtime/on-queue.ts';

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

export const handler = onQueue('deliver', deliverWorker);
