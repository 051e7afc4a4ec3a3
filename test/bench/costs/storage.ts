// What a day leaves in the table, as DynamoDB charges for it.
import type { Item } from '../../../shared/platform/ports.ts';
import { tableShape } from '../../../shared/system/keys.ts';
import { sizeOf } from '../../harness/measured-table.ts';

/** DynamoDB adds this to each item, and to each entry of an index. */
const overheadBytes = 100;
const dayMs = 24 * 3_600_000;
const daysAYear = 365;

/** Of a year of days like the one between: what expires counts as long as it stays. */
export function bytesOfAYear(before: readonly Item[], after: readonly Item[], nowMs: number): number {
  const bytesBefore = new Map(before.map((item) => [keyOf(item), storedBytes(item)]));
  return after.reduce((sum, item) => {
    const grown = storedBytes(item) - (bytesBefore.get(keyOf(item)) ?? 0);
    return sum + grown * Math.min(daysAYear, daysLeft(item, nowMs));
  }, 0);
}

const keyOf = (item: Item): string => `${item[tableShape.pk]} ${item[tableShape.sk]}`;

function daysLeft(item: Item, nowMs: number): number {
  const ttl = item[tableShape.ttl];
  return typeof ttl === 'number' ? Math.max(0, (ttl * 1_000 - nowMs) / dayMs) : daysAYear;
}

function storedBytes(item: Item): number {
  const indexed = tableShape.indexes.filter(({ pk }) => item[pk] !== undefined);
  const keys = (index: (typeof tableShape.indexes)[number]) =>
    Object.fromEntries([tableShape.pk, tableShape.sk, index.pk, index.sk].map((name) => [name, item[name] ?? null]));
  return indexed.reduce((sum, index) => sum + sizeOf(keys(index)) + overheadBytes, sizeOf(item) + overheadBytes);
}
