// Reads a provider's list item by item. An unreadable item is rejected with its path, and the
// others remain valid.
import type * as z from 'zod';
import type { ProviderPage } from './provider-pages.ts';
import type { RecordBuilder } from './record-builder.ts';

export interface ReadItem<Item> {
  path: string;
  item: Item;
}

/** A missing list has no items; anything else that is not a list is rejected. */
export function readItems<Item>(
  builder: RecordBuilder,
  path: string,
  list: unknown,
  schema: z.ZodType<Item>,
): ReadItem<Item>[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    builder.reject(path, 'invalid_record', 'The provider sent something that is not a list of records.');
    return [];
  }
  return list.flatMap((each: unknown, at) => {
    const read = schema.safeParse(each);
    if (read.success) return [{ path: `${path}.${at}`, item: read.data }];
    const [issue] = read.error.issues;
    builder.reject(
      [path, at, ...(issue?.path ?? [])].map(String).join('.'),
      'invalid_record',
      'The provider sent something that cannot be read as such a record.',
    );
    return [];
  });
}

/** Keeps the last of several items with the same key, at the position of the first. */
export function keepLastPerKey<Item>(
  items: readonly ReadItem<Item>[],
  keyOf: (item: Item) => string | number,
): ReadItem<Item>[] {
  const byKey = new Map<string | number, ReadItem<Item>>();
  for (const each of items) byKey.set(keyOf(each.item), each);
  return [...byKey.values()];
}

/**
 * Reads all pages of a resource as one list, so that an index in a path refers to the whole
 * collection.
 */
export const readResource = <Item>(
  builder: RecordBuilder,
  pages: readonly ProviderPage[],
  {
    resource,
    listIn,
    schema,
  }: { resource: string; listIn: (page: ProviderPage) => unknown[]; schema: z.ZodType<Item> },
): ReadItem<Item>[] =>
  readItems(
    builder,
    resource,
    pages.flatMap((page) => (page.resource === resource ? listIn(page) : [])),
    schema,
  );

/**
 * An item that changed while the pages were read may be on two of them. Keeps the one that changed
 * last, or the last one if no change time is reported.
 */
export function keepNewestPerKey<Item>(
  items: readonly ReadItem<Item>[],
  keyOf: (item: Item) => string,
  changedAt: (item: Item) => string | null | undefined,
): ReadItem<Item>[] {
  const changedMs = ({ item }: ReadItem<Item>): number => Date.parse(changedAt(item) ?? '') || 0;
  const byKey = new Map<string, ReadItem<Item>>();
  for (const each of items) {
    const previous = byKey.get(keyOf(each.item));
    if (!previous || changedMs(each) >= changedMs(previous)) byKey.set(keyOf(each.item), each);
  }
  return [...byKey.values()];
}
