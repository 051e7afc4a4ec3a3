// A table for a writer that is paused before one of its writes until the test releases it.
import type { Table, Write } from '../../shared/platform/ports.ts';

export interface StalledTable {
  table: Table;
  /** Resolves to true when the writer is paused, and to false if it ended without a pause. */
  isStalled: Promise<boolean>;
  release(): void;
  markEnded(): void;
}

/** Pauses one write until it is released. Concurrent calls continue. */
export function stalledTable(
  inner: Table,
  shouldStall: (writes: readonly Write[], count: number) => boolean,
): StalledTable {
  const [stalled, released] = [Promise.withResolvers<boolean>(), Promise.withResolvers<void>()];
  let count = 0;
  let hasStalled = false;
  const wait = async <T>(writes: readonly Write[], call: () => Promise<T>): Promise<T> => {
    if (!hasStalled && shouldStall(writes, ++count)) {
      hasStalled = true;
      stalled.resolve(true);
      await released.promise;
    }
    return call();
  };
  return {
    isStalled: stalled.promise,
    release: () => released.resolve(),
    markEnded: () => stalled.resolve(false),
    table: {
      ...inner,
      write: (each) => wait([each], () => inner.write(each)),
      transact: (writes) => wait(writes, () => inner.transact(writes)),
      batchWrite: (writes) => wait(writes, () => inner.batchWrite(writes)),
    },
  };
}

/** Whether the writes are the final commit of a pass. */
export const isCommit = (writes: readonly Write[]): boolean =>
  writes.some((each) => each.kind === 'update' && each.update.includes('#fence'));
