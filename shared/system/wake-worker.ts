// Wakes a worker with a message. The pending work is already in the table, so a lost message costs
// time but never work: a sweep finds it.
import { EngineUnavailable, type SendOptionsOf } from '../platform/ports.ts';
import type { Deps } from './deps.ts';
import type { FifoQueueName, Job, QueueName } from './jobs.ts';

export async function wakeWorker<Name extends QueueName>(
  deps: Pick<Deps, 'queue' | 'log'>,
  queue: Name,
  job: Job<Name>,
  options?: SendOptionsOf<Name, FifoQueueName>,
): Promise<void> {
  try {
    await deps.queue.send(queue, job, options);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    deps.log('warn', 'worker_not_woken', { queue, cause: error });
  }
}
