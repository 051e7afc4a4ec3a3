import type { Deps } from '../../shared/system/deps.ts';
import type { Job } from '../../shared/system/jobs.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import { createEndpointBulkhead } from '../../shared/webhooks/endpoint-bulkhead.ts';
import { onQueue } from '../runtime/on-queue.ts';

export const deliverWorker = (deps: Deps) => {
  const bulkhead = createEndpointBulkhead();
  const running = new Set<string>();
  return async (job: Job<'deliver'>): Promise<void> => {
    // A queue message and the sweep often request the same work at the same time. The run that is
    // already in progress finishes it.
    const jobKey = JSON.stringify(job);
    if (running.has(jobKey)) return;
    running.add(jobKey);
    try {
      await deliver(deps, bulkhead, job);
    } finally {
      running.delete(jobKey);
    }
  };
};

export const handler = onQueue('deliver', deliverWorker);
