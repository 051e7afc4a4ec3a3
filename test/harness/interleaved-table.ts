// A table in which something else happens before the n-th call.
import type { Table } from '../../shared/platform/ports.ts';

export interface InterleavedTable {
  table: Table;
  /** False if there were fewer calls. */
  hasRun(): boolean;
}

export function interleavedTable(inner: Table, n: number, interleave: () => Promise<unknown>): InterleavedTable {
  let calls = 0;
  const beforeCall = async <T>(call: () => Promise<T>): Promise<T> => {
    if (++calls === n) await interleave();
    return call();
  };
  return {
    hasRun: () => calls >= n,
    table: {
      get: (...args) => beforeCall(() => inner.get(...args)),
      batchGet: (...args) => beforeCall(() => inner.batchGet(...args)),
      query: (...args) => beforeCall(() => inner.query(...args)),
      async *queryAll(args) {
        await beforeCall(async () => {});
        yield* inner.queryAll(args);
      },
      write: (write) => beforeCall(() => inner.write(write)),
      transact: (writes) => beforeCall(() => inner.transact(writes)),
      batchWrite: (writes) => beforeCall(() => inner.batchWrite(writes)),
    },
  };
}
