// Wakes a worker by message. What is owed already stands in the table, so a lost message costs time, never work: a sweep finds it.
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
    deps.log('warn', 'could not wake a worker; the sweep will', { queue, error });
  }
}
