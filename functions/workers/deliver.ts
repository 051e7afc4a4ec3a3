import type { Deps } from '../../shared/system/deps.ts';
import type { Job } from '../../shared/system/jobs.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import { createEndpointBulkhead } from '../../shared/webhooks/endpoint-bulkhead.ts';
import { onQueue } from '../runtime/on-queue.ts';
import { groupBudgetMs } from '../runtime/run-budget.ts';

export const deliverWorker = (deps: Deps) => {
  const bulkhead = createEndpointBulkhead();
  const startedMs = new Map<string, number>();
  return async (job: Job<'deliver'>): Promise<void> => {
    // A queue message and the sweep often request the same work at the same time. The run that is
    // already in progress finishes it, unless its time is up: then it can write no more.
    const jobKey = JSON.stringify(job);
    const nowMs = deps.clock.now();
    if (nowMs - (startedMs.get(jobKey) ?? -Infinity) < groupBudgetMs) return;
    startedMs.set(jobKey, nowMs);
    try {
      await deliver(deps, bulkhead, job);
    } finally {
      if (startedMs.get(jobKey) === nowMs) startedMs.delete(jobKey);
    }
  };
};

export const handler = onQueue('deliver', deliverWorker);
