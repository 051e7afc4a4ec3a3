// The single table as the domain sees it: a handle for repositories, and one way to commit their
// writes together.
import { type Clock, type Table, TransactionCanceled, type Write } from '../platform/ports.ts';
import { mergeOutboxWrites } from './merge-outbox-writes.ts';

export interface Store {
  table: Table;
  clock: Clock;
  /** All or nothing: a change and its event are committed together. */
  commit(writes: Write[]): Promise<void>;
}

export const openStore = (table: Table, clock: Clock): Store => ({
  table,
  clock,
  commit: (writes) => table.transact(mergeOutboxWrites(writes)),
});

/**
 * Defines the repository of one kind of row. It is opened where it is used, once per store, so that
 * a function's bundle contains only the repositories it uses.
 */
export function repository<Rows extends object>(open: (store: Store) => Rows): (store: Store) => Rows {
  const cache = new WeakMap<Store, Rows>();
  return (store) => {
    const existing = cache.get(store);
    if (existing) return existing;
    const rows = open(store);
    cache.set(store, rows);
    return rows;
  };
}

/** Returns false if any condition failed. */
export async function commitConditionally(store: Store, writes: Write[]): Promise<boolean> {
  try {
    await store.commit(writes);
    return true;
  } catch (error) {
    if (error instanceof TransactionCanceled) return false;
    throw error;
  }
}
