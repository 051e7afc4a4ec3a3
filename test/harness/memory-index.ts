// The indexes of the in-memory table: the items under each index key, ordered by sort key.
import type { Item } from '../../shared/platform/ports.ts';
import { tableSchema } from '../../shared/system/table-schema.ts';
import { compareBytes } from './byte-order.ts';

export interface MemoryIndexes {
  update(before: Item | undefined, after: Item | undefined): void;
  /** Returns only the attributes that the index projects. */
  find(index: string, pk: string): readonly Item[];
}

interface Entries {
  items: Set<Item>;
  /** Cached until the next change. */
  sorted?: Item[];
}

const shapeOf = (name: string) => {
  const shape = tableSchema.indexes.find((index) => index.name === name);
  if (!shape) throw new Error(`the table has no index ${name}`);
  return shape;
};

export const compareBy =
  (...names: string[]) =>
  (a: Item, b: Item): number => {
    const name = names.find((each) => a[each] !== b[each]);
    return name === undefined ? 0 : compareBytes(String(a[name]), String(b[name]));
  };

export function memoryIndexes(items: Iterable<Item>): MemoryIndexes {
  const byIndex = new Map<string, Map<string, Entries>>(tableSchema.indexes.map(({ name }) => [name, new Map()]));

  function entriesOf({ name, pk, sk }: (typeof tableSchema.indexes)[number], item: Item): Entries | undefined {
    const key = item[pk];
    if (typeof key !== 'string' || typeof item[sk] !== 'string') return undefined;
    const entries = byIndex.get(name)?.get(key) ?? { items: new Set() };
    byIndex.get(name)?.set(key, entries);
    delete entries.sorted;
    return entries;
  }

  function update(before: Item | undefined, after: Item | undefined): void {
    for (const shape of tableSchema.indexes) {
      if (before) entriesOf(shape, before)?.items.delete(before);
      if (after) entriesOf(shape, after)?.items.add(after);
    }
  }

  for (const item of items) update(undefined, item);
  return {
    update,
    find(index, key) {
      const { pk, sk } = shapeOf(index);
      const entries = byIndex.get(index)?.get(key);
      if (!entries) return [];
      const projected = (item: Item): Item =>
        Object.fromEntries(['pk', 'sk', pk, sk].map((name) => [name, item[name] ?? null]));
      entries.sorted ??= [...entries.items].map(projected).sort(compareBy(sk, 'pk', 'sk'));
      return entries.sorted;
    },
  };
}
