// The life of one run of a function: what it has not begun to write by its end, it never writes. Lambda ends the process of a run that takes too
// long; a laptop cannot, and a process that was frozen wakes up. Ordered queues rely on it: they hand a message out again when nobody who had it can write.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, EngineUnavailable, type Table } from '../../shared/platform/ports.ts';

/** As long as the longest timeout of the map. */
export const maxRunDurationMs = 60_000;

/** Many writes are many calls, and life may end between them. */
const writeBatchSize = 100;

/** As with an engine that is away, the work is tried again. */
export class DeadlineExceeded extends EngineUnavailable {}

const runDeadlines = new AsyncLocalStorage<number>();

export const runWithDeadline = <T>(clock: Clock, run: () => Promise<T>): Promise<T> =>
  runDeadlines.run(clock.now() + maxRunDurationMs, run);

/** A table that takes no write of a run whose life is over. */
export function withWriteDeadline(table: Table, clock: Clock): Table {
  const writeBeforeDeadline = <T>(write: () => Promise<T>): Promise<T> => {
    const deadlineMs = runDeadlines.getStore();
    if (deadlineMs !== undefined && clock.now() >= deadlineMs)
      return Promise.reject(
        new DeadlineExceeded('this run has taken too long, and writes no more: its work comes again'),
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
