// Computes what DynamoDB charges for a call from its items, for engines that do not report it by
// key.
import type { Item, Key, Query, Value, Write } from '../../../shared/platform/ports.ts';
import { tableSchema } from '../../../shared/system/table-schema.ts';

/** Units charged to a partition of the table or of one of its indexes. */
export interface ChargedUnits {
  partition: string;
  write: number;
  read: number;
}

const writeBytes = 1024;
const readBytes = 4096;

export const tablePartition = (pk: string): string => `table ${pk}`;

/** The units of a written item. An index is charged if its keys change. */
export function chargeWrite(
  write: Write,
  before: Item | undefined,
  after: Item | undefined,
  isTransaction: boolean,
): ChargedUnits[] {
  const key = keyOf(write);
  const bytes = Math.max(before ? itemBytes(before) : 0, after ? itemBytes(after) : 0);
  const units = Math.max(1, Math.ceil(bytes / writeBytes)) * (isTransaction ? 2 : 1);
  const charged = [{ partition: tablePartition(key.pk), write: units, read: 0 }];
  if (write.kind === 'check') return charged;
  for (const { name, pk, sk } of tableSchema.indexes) {
    const [old, now] = [before?.[pk], after?.[pk]];
    if (old === now && before?.[sk] === after?.[sk]) continue;
    for (const indexKey of [old, now])
      if (typeof indexKey === 'string') charged.push({ partition: `${name} ${indexKey}`, write: 1, read: 0 });
  }
  return charged;
}

export const keyOf = (write: Write): Key => (write.kind === 'put' ? write.item : write.key);

export const chargeItem = (key: Key, item: Item | undefined, isConsistent = false): ChargedUnits => ({
  partition: tablePartition(key.pk),
  write: 0,
  read: readUnits(item ? itemBytes(item) : 0, isConsistent),
});

/** The items of a query are charged together, at their stored size. */
export function chargeQuery({ index, where, values, consistent }: Query, items: readonly Item[]): ChargedUnits {
  const name = /= :(\w+)/.exec(where)?.[1] ?? '';
  const bytes = items.reduce((sum, item) => sum + itemBytes(item), 0);
  return { partition: `${index ?? 'table'} ${String(values[name])}`, write: 0, read: readUnits(bytes, consistent) };
}

const readUnits = (bytes: number, isConsistent = false): number =>
  Math.max(1, Math.ceil(bytes / readBytes)) * (isConsistent ? 1 : 0.5);

/**
 * Items of the table are never mutated, because a write replaces them, so their sizes can be
 * cached.
 */
const sizeCache = new WeakMap<Item, number>();
function itemBytes(item: Item): number {
  const known = sizeCache.get(item);
  if (known !== undefined) return known;
  const bytes = mapBytes(item);
  sizeCache.set(item, bytes);
  return bytes;
}

const mapBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

function valueBytes(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  // Two digits per byte, plus one byte for sign and exponent.
  if (typeof value === 'number') return 1 + Math.ceil(String(value).replaceAll(/[-.]/g, '').length / 2);
  if (value === null || typeof value === 'boolean') return 1;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + 1 + valueBytes(each), 3);
  return 3 + Object.keys(value).length + mapBytes(value);
}
