// A table for a worker that crashes at one of its writes: before the write is applied, or after it
// is applied but before the worker sees the result. A crashed worker makes no more calls.
import type { Table } from '../../shared/platform/ports.ts';

export class WorkerCrashed extends Error {}

export interface CrashingTable {
  table: Table;
  /** The number of writes that were started. */
  writes(): number;
}

export function crashingTable(inner: Table, { at, applied }: { at: number; applied: boolean }): CrashingTable {
  let writes = 0;
  let hasCrashed = false;
  const requireAlive = (): Table => {
    if (hasCrashed) throw new WorkerCrashed('this worker has crashed');
    return inner;
  };
  async function countWrite<T>(write: () => Promise<T>): Promise<T> {
    requireAlive();
    writes += 1;
    if (writes < at) return write();
    hasCrashed = true;
    if (applied) await write();
    throw new WorkerCrashed(`crashed at write ${writes}`);
  }
  return {
    writes: () => writes,
    table: {
      get: async (...args) => requireAlive().get(...args),
      batchGet: async (...args) => requireAlive().batchGet(...args),
      query: async (...args) => requireAlive().query(...args),
      async *queryAll(args) {
        yield* requireAlive().queryAll(args);
      },
      write: (write) => countWrite(() => inner.write(write)),
      transact: (writes) => countWrite(() => inner.transact(writes)),
      batchWrite: (writes) => countWrite(() => inner.batchWrite(writes)),
    },
  };
}
