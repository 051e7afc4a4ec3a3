// A table in which something else happens before the n-th call of whoever uses it.
import type { Table } from '../../shared/platform/ports.ts';

export interface OvertakenTable {
  table: Table;
  /** False when there were fewer calls. */
  happened(): boolean;
}

export function overtakenTable(inner: Table, n: number, happens: () => Promise<unknown>): OvertakenTable {
  let calls = 0;
  const then = async <T>(call: () => Promise<T>): Promise<T> => {
    if (++calls === n) await happens();
    return call();
  };
  return {
    happened: () => calls >= n,
    table: {
      get: (...asked) => then(() => inner.get(...asked)),
      batchGet: (...asked) => then(() => inner.batchGet(...asked)),
      query: (...asked) => then(() => inner.query(...asked)),
      async *queryAll(asked) {
        await then(async () => {});
        yield* inner.queryAll(asked);
      },
      write: (write) => then(() => inner.write(write)),
      transact: (writes) => then(() => inner.transact(writes)),
      batchWrite: (writes) => then(() => inner.batchWrite(writes)),
    },
  };
}
