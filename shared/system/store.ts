// The single table as the domain sees it: a handle that repositories are opened on, and one way to commit their writes together.
import { type Clock, type Table, TransactionRefused, type Write } from '../platform/ports.ts';
import { withOneOutboxRow } from './one-outbox-row.ts';

export interface Store {
  table: Table;
  clock: Clock;
  /** All of it or nothing: a change and the event that tells of it go out together. */
  commit(writes: Write[]): Promise<void>;
}

export const openStore = (table: Table, clock: Clock): Store => ({
  table,
  clock,
  commit: (writes) => table.transact(withOneOutboxRow(writes)),
});

/** One noun of the table. Each is opened where it is used, once per store, so that a function is bundled with those it uses and no others. */
export function repository<Rows extends object>(open: (store: Store) => Rows): (store: Store) => Rows {
  const opened = new WeakMap<Store, Rows>();
  return (store) => {
    const known = opened.get(store);
    if (known) return known;
    const rows = open(store);
    opened.set(store, rows);
    return rows;
  };
}

/** False when a condition of any of them did not hold. */
export async function conditionalCommit(store: Store, writes: Write[]): Promise<boolean> {
  try {
    await store.commit(writes);
    return true;
  } catch (error) {
    if (error instanceof TransactionRefused) return false;
    throw error;
  }
}
