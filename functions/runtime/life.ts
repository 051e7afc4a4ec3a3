// The life of one run of a function: what it has not begun to write by its end, it never writes. Lambda ends the process of a run that takes too
// long; a laptop cannot, and a process that was frozen wakes up. Ordered queues rely on it: they hand a message out again when nobody who had it can write.
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, EngineUnavailable, type Table } from '../../shared/platform/ports.ts';

/** As long as the longest timeout of the map. */
export const longestLifeMs = 60_000;

/** Many writes are many calls, and life may end between them. */
const writesAtOnce = 100;

/** As with an engine that is away, the work is tried again. */
export class LifeIsOver extends EngineUnavailable {}

const ends = new AsyncLocalStorage<number>();

export const live = <T>(clock: Clock, run: () => Promise<T>): Promise<T> => ends.run(clock.now() + longestLifeMs, run);

/** A table that takes no write of a run whose life is over. */
export function mortalTable(table: Table, clock: Clock): Table {
  const whileAlive = <T>(write: () => Promise<T>): Promise<T> => {
    const endMs = ends.getStore();
    if (endMs !== undefined && clock.now() >= endMs)
      return Promise.reject(new LifeIsOver('this run has taken too long, and writes no more: its work comes again'));
    return write();
  };
  return {
    ...table,
    write: (write) => whileAlive(() => table.write(write)),
    transact: (writes) => whileAlive(() => table.transact(writes)),
    async batchWrite(writes) {
      for (let at = 0; at < writes.length; at += writesAtOnce) {
        const some = writes.slice(at, at + writesAtOnce);
        await whileAlive(() => table.batchWrite(some));
      }
    },
  };
}
