import type { Deps } from '../../../shared/domain/deps.ts';
import { deliver } from '../../../shared/domain/webhooks/deliver.ts';
import { openGate } from '../../../shared/domain/webhooks/gate.ts';
import type { Job } from '../../../shared/model/jobs.ts';

export const deliverWorker = (deps: Deps) => {
  const gate = openGate();
  return async (job: Job<'deliver'>): Promise<void> => deliver(deps, gate, job);
};
