// A vendor's list read item by item: what cannot be read is a rejection with its place, and the others stay good.
import type * as z from 'zod';
import type { ProviderPage } from './provider-pages.ts';
import type { RecordBuilder } from './record-builder.ts';

export interface ReadItem<Item> {
  path: string;
  item: Item;
}

/** No list has no items; anything else in its place is a rejection. */
export function readItems<Item>(
  builder: RecordBuilder,
  path: string,
  list: unknown,
  schema: z.ZodType<Item>,
): ReadItem<Item>[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    builder.reject(path, 'invalid_record', 'The vendor sent something that is no list of records.');
    return [];
  }
  return list.flatMap((each: unknown, at) => {
    const read = schema.safeParse(each);
    if (read.success) return [{ path: `${path}.${at}`, item: read.data }];
    const [issue] = read.error.issues;
    builder.reject(
      [path, at, ...(issue?.path ?? [])].map(String).join('.'),
      'invalid_record',
      'The vendor sent something that cannot be read as such a record.',
    );
    return [];
  });
}

/** Of several with the same key the last one, where the first stood. */
export function keepLastPerKey<Item>(
  items: readonly ReadItem<Item>[],
  keyOf: (item: Item) => string | number,
): ReadItem<Item>[] {
  const byKey = new Map<string | number, ReadItem<Item>>();
  for (const each of items) byKey.set(keyOf(each.item), each);
  return [...byKey.values()];
}

/** Of all pages of a resource together, so that a place in them is a place in the collection. */
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

/** What was changed while it was read may stand on two pages: of each the one changed last; where that is not told, the last one. */
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
