// Computes the bytes that a day adds to the table, as DynamoDB charges them.
import type { Item } from '../../../shared/platform/ports.ts';
import { tableSchema } from '../../../shared/system/table-schema.ts';
import { itemBytes } from '../../harness/measured-table.ts';

/** DynamoDB adds this to each item and to each index entry. */
const overheadBytes = 100;
const dayMs = 24 * 3_600_000;
const daysPerYear = 365;

/**
 * The bytes after a year of days like the one between the two snapshots. Items that expire count
 * only until then.
 */
export function bytesPerYear(before: readonly Item[], after: readonly Item[], nowMs: number): number {
  const bytesBefore = new Map(before.map((item) => [keyOf(item), storedBytes(item)]));
  return after.reduce((sum, item) => {
    const grown = storedBytes(item) - (bytesBefore.get(keyOf(item)) ?? 0);
    return sum + grown * Math.min(daysPerYear, daysLeft(item, nowMs));
  }, 0);
}

const keyOf = (item: Item): string => `${item[tableSchema.pk]} ${item[tableSchema.sk]}`;

function daysLeft(item: Item, nowMs: number): number {
  const ttl = item[tableSchema.ttl];
  return typeof ttl === 'number' ? Math.max(0, (ttl * 1_000 - nowMs) / dayMs) : daysPerYear;
}

function storedBytes(item: Item): number {
  const indexed = tableSchema.indexes.filter(({ pk }) => item[pk] !== undefined);
  const keys = (index: (typeof tableSchema.indexes)[number]) =>
    Object.fromEntries([tableSchema.pk, tableSchema.sk, index.pk, index.sk].map((name) => [name, item[name] ?? null]));
  return indexed.reduce((sum, index) => sum + itemBytes(keys(index)) + overheadBytes, itemBytes(item) + overheadBytes);
}
