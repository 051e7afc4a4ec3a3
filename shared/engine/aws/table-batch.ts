// Reads and writes of many items at once; what the table leaves unprocessed is sent again.
import { type Delete, EngineUnavailable, type Item, type Key, type Put } from '../ports.ts';
import { backoff } from './backoff.ts';
import { batchesOf, sendBatches } from './batches.ts';
import { type AttributeMap, marshalItem, unmarshalItem } from './marshal.ts';
import { marshalKey, type TableCall } from './table-call.ts';

interface BatchGetOutput {
  Responses?: Record<string, AttributeMap[]>;
  UnprocessedKeys?: Record<string, { Keys?: AttributeMap[] }>;
}
type WriteRequest = { PutRequest: { Item: AttributeMap } } | { DeleteRequest: { Key: AttributeMap } };
interface BatchWriteOutput {
  UnprocessedItems?: Record<string, WriteRequest[]>;
}

const mostKeys = 100;
const mostWrites = 25;
const mostIdleTries = 8;

export async function batchGet(
  call: TableCall,
  tableName: string,
  keys: readonly Key[],
  consistent: boolean | undefined,
  backoffMs: number,
): Promise<Item[]> {
  const distinct = new Map(keys.map((key) => [identity(key), marshalKey(key)]));
  const items: Item[] = [];
  await sendBatches(batchesOf([...distinct.values()], { most: mostKeys }), (batch) =>
    untilProcessed(batch, backoffMs, async (Keys) => {
      const output = await call<BatchGetOutput>('BatchGetItem', {
        RequestItems: { [tableName]: { Keys, ConsistentRead: consistent } },
      });
      for (const attributes of output.Responses?.[tableName] ?? []) items.push(unmarshalItem(attributes));
      return output.UnprocessedKeys?.[tableName]?.Keys ?? [];
    }),
  );
  return items;
}

export async function batchWrite(
  call: TableCall,
  tableName: string,
  writes: readonly (Put | Delete)[],
  backoffMs: number,
): Promise<void> {
  // DynamoDB refuses a batch that names a key twice; as with writes in sequence, the last one counts.
  const distinct = new Map(writes.map((write) => [identity(write.kind === 'put' ? write.item : write.key), write]));
  const requests = [...distinct.values()].map(writeRequest);
  await sendBatches(batchesOf(requests, { most: mostWrites }), (batch) =>
    untilProcessed(batch, backoffMs, async (pending) => {
      const output = await call<BatchWriteOutput>('BatchWriteItem', { RequestItems: { [tableName]: pending } });
      return output.UnprocessedItems?.[tableName] ?? [];
    }),
  );
}

async function untilProcessed<T>(batch: T[], backoffMs: number, send: (pending: T[]) => Promise<T[]>): Promise<void> {
  let pending = batch;
  let idleTries = 0;
  for (;;) {
    const left = await send(pending);
    if (left.length === 0) return;
    idleTries = left.length < pending.length ? 1 : idleTries + 1;
    if (idleTries === mostIdleTries) {
      throw new EngineUnavailable(
        `the table left ${left.length} of a batch unprocessed ${mostIdleTries} times in a row`,
      );
    }
    pending = left;
    await backoff(backoffMs, idleTries);
  }
}

function writeRequest(write: Put | Delete): WriteRequest {
  if (write.condition !== undefined) {
    throw new Error('A batch write cannot hold a condition; use write or transact for it.');
  }
  return write.kind === 'put'
    ? { PutRequest: { Item: marshalItem(write.item) } }
    : { DeleteRequest: { Key: marshalKey(write.key) } };
}

function identity({ pk, sk }: Key): string {
  return JSON.stringify([pk, sk]);
}
