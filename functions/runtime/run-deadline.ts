// The deadline of one run of a function: a write that has not started by then never starts. Lambda
// kills the process of a run that takes too long; a laptop does not, and a frozen process may
// resume. Ordered queues rely on this: they redeliver a message only when no earlier receiver can
// still write.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, EngineUnavailable, type Table } from '../../shared/platform/ports.ts';

/** The longest timeout in the function manifest. */
export const maxRunDurationMs = 60_000;

/** A large batch write takes several calls, and the deadline may pass between them. */
const writeBatchSize = 100;

/** The work is retried, as it is when an engine is unavailable. */
export class DeadlineExceeded extends EngineUnavailable {}

const runDeadlines = new AsyncLocalStorage<number>();

export const runWithDeadline = <T>(clock: Clock, run: () => Promise<T>): Promise<T> =>
  runDeadlines.run(clock.now() + maxRunDurationMs, run);

/** A part of a run has a deadline of its own, which is never later than that of the run. */
export function runWithEarlierDeadline<T>(clock: Clock, durationMs: number, run: () => Promise<T>): Promise<T> {
  const runDeadlineMs = runDeadlines.getStore() ?? Number.POSITIVE_INFINITY;
  return runDeadlines.run(Math.min(runDeadlineMs, clock.now() + durationMs), run);
}

/** Returns a table that rejects writes once the run's deadline has passed. */
export function withWriteDeadline(table: Table, clock: Clock): Table {
  const writeBeforeDeadline = <T>(write: () => Promise<T>): Promise<T> => {
    const deadlineMs = runDeadlines.getStore();
    if (deadlineMs !== undefined && clock.now() >= deadlineMs)
      return Promise.reject(
        new DeadlineExceeded('the run exceeded its deadline and cannot write any more; its work will be retried'),
      );
    return write();
  };
  return {
    ...table,
    write: (write) => writeBeforeDeadline(() => table.write(write)),
    transact: (writes) => writeBeforeDeadline(() => table.transact(writes)),
    async batchWrite(writes) {
      for (let at = 0; at < writes.length; at += writeBatchSize) {
        const batch = writes.slice(at, at + writeBatchSize);
        await writeBeforeDeadline(() => table.batchWrite(batch));
      }
    },
  };
}
