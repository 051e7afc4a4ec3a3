// A vendor's list read item by item: what cannot be read is a rejection with its place, and the others stay good.
import type * as z from 'zod';
import type { Gathering } from './gathering.ts';

export interface ReadItem<Item> {
  path: string;
  item: Item;
}

/** No list has no items; anything else in its place is a rejection. */
export function readItems<Item>(
  gathering: Gathering,
  path: string,
  list: unknown,
  schema: z.ZodType<Item>,
): ReadItem<Item>[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    gathering.reject(path, 'invalid_record', 'The vendor sent something that is no list of records.');
    return [];
  }
  return list.flatMap((each: unknown, at) => {
    const read = schema.safeParse(each);
    if (read.success) return [{ path: `${path}.${at}`, item: read.data }];
    const [issue] = read.error.issues;
    gathering.reject(
      [path, at, ...(issue?.path ?? [])].map(String).join('.'),
      'invalid_record',
      'The vendor sent something that cannot be read as such a record.',
    );
    return [];
  });
}

/** Of several with the same key the last one, where the first stood. */
export function lastOfEach<Item>(
  items: readonly ReadItem<Item>[],
  keyOf: (item: Item) => string | number,
): ReadItem<Item>[] {
  const byKey = new Map<string | number, ReadItem<Item>>();
  for (const each of items) byKey.set(keyOf(each.item), each);
  return [...byKey.values()];
}
