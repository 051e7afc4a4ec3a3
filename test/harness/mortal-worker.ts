// A table for a worker that dies at one of its writes: before it is made, or after it was made and before anybody heard of it. A dead worker calls nothing.
import type { Table } from '../../shared/platform/ports.ts';

export class Died extends Error {}

export interface DeadlyTable {
  table: Table;
  /** Writes that were begun. */
  writes(): number;
}

export function deadlyTable(inner: Table, { at, applied }: { at: number; applied: boolean }): DeadlyTable {
  let writes = 0;
  let isDead = false;
  const alive = (): Table => {
    if (isDead) throw new Died('this worker is dead');
    return inner;
  };
  async function mortal<T>(write: () => Promise<T>): Promise<T> {
    alive();
    writes += 1;
    if (writes < at) return write();
    isDead = true;
    if (applied) await write();
    throw new Died(`died at write ${writes}`);
  }
  return {
    writes: () => writes,
    table: {
      get: async (...asked) => alive().get(...asked),
      batchGet: async (...asked) => alive().batchGet(...asked),
      query: async (...asked) => alive().query(...asked),
      async *queryAll(asked) {
        yield* alive().queryAll(asked);
      },
      write: (write) => mortal(() => inner.write(write)),
      transact: (writes) => mortal(() => inner.transact(writes)),
      batchWrite: (writes) => mortal(() => inner.batchWrite(writes)),
    },
  };
}
