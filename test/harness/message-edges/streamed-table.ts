// A table that reports its changes, as the table's stream does.
import type { Item, Key, Table, Write } from '../../../shared/platform/ports.ts';

export interface Change {
  name: 'INSERT' | 'MODIFY' | 'REMOVE';
  key: Key;
  after: Item | undefined;
}

const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key);

export function streamedTable(table: Table, isWanted: (key: Key) => boolean, publish: (change: Change) => void): Table {
  async function publishChanges<T>(writes: readonly Write[], write: () => Promise<T>): Promise<T> {
    const keys = writes.filter(({ kind }) => kind !== 'check').map(keyOf);
    const wanted = keys.filter(isWanted).map(({ pk, sk }) => ({ pk, sk }));
    const before = await Promise.all(wanted.map((key) => table.get(key)));
    const result = await write();
    for (const [index, key] of wanted.entries()) {
      const after = await table.get(key);
      if (after) publish({ name: before[index] ? 'MODIFY' : 'INSERT', key, after });
      else if (before[index]) publish({ name: 'REMOVE', key, after });
    }
    return result;
  }
  return {
    ...table,
    write: (write) => publishChanges([write], () => table.write(write)),
    transact: (writes) => publishChanges(writes, () => table.transact(writes)),
    batchWrite: (writes) => publishChanges(writes, () => table.batchWrite(writes)),
  };
}
