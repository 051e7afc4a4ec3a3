// A table that rejects what DynamoDB would: items over 400 KB, measured as DynamoDB does, and queries
// for partition keys that are too long.
import type { Item, Table, Value, Write } from '../../shared/platform/ports.ts';

export const dynamoItemLimitBytes = 400 * 1024;
const maxPartitionKeyBytes = 2048;

export interface MeasuredTable {
  table: Table;
  /** The size of the largest item that was written. */
  largestBytes(): number;
}

export function measuredTable(table: Table): MeasuredTable {
  let largest = 0;
  const measure = (item: Item): void => {
    const bytes = itemBytes(item);
    largest = Math.max(largest, bytes);
    if (bytes > dynamoItemLimitBytes) throw new Error(`item ${String(item['sk'])} has ${bytes} bytes`);
  };
  const measurePuts = (writes: readonly Write[]): void => {
    for (const write of writes) if (write.kind === 'put') measure(write.item);
  };
  return {
    largestBytes: () => largest,
    table: {
      ...table,
      queryAll(query) {
        const keyBytes = Buffer.byteLength(String(query.values['pk']));
        if (keyBytes > maxPartitionKeyBytes) throw new Error(`the partition key has ${keyBytes} bytes`);
        return table.queryAll(query);
      },
      async write(write) {
        measurePuts([write]);
        const item = await table.write(write);
        if (write.kind === 'update' && item) measure(item);
        return item;
      },
      async transact(writes) {
        measurePuts(writes);
        return table.transact(writes);
      },
      async batchWrite(writes) {
        measurePuts(writes);
        return table.batchWrite(writes);
      },
    },
  };
}

/** Names and values, in UTF-8 bytes. */
export const itemBytes = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

const containerBytes = 3;
/** A number has at most 38 digits, stored two per byte. */
const maxNumberBytes = 21;

function valueBytes(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return maxNumberBytes;
  if (value === null || typeof value === 'boolean') return 1;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + 1 + valueBytes(each), containerBytes);
  return containerBytes + Object.values(value).length + itemBytes(value);
}
