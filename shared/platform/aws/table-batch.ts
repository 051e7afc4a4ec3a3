// Reads and writes many items at once; items that the table leaves unprocessed are sent again.
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { type Delete, EngineUnavailable, type Item, type Key, type Put } from '../ports.ts';
import { backoff } from './backoff.ts';
import { sendBatches, splitIntoBatches } from './batches.ts';
import { marshalItem, unmarshalItem } from './marshal.ts';
import { marshalKey, type TableCalls } from './table-call.ts';

type Attributes = Record<string, AttributeValue>;

const maxKeys = 100;
const maxWrites = 25;
const maxIdleAttempts = 8;

export async function batchGet(
  { client, tableName, capacityOptions, call, backoffMs }: TableCalls,
  keys: readonly Key[],
  consistent: boolean | undefined,
): Promise<Item[]> {
  const distinct = new Map(keys.map((key) => [serializeKey(key), marshalKey(key)]));
  const items: Item[] = [];
  await sendBatches(splitIntoBatches([...distinct.values()], { maxCount: maxKeys }), (batch) =>
    sendUntilProcessed<Attributes>(batch, backoffMs, async (Keys) => {
      const RequestItems = { [tableName]: { Keys, ConsistentRead: consistent } };
      const command = new BatchGetItemCommand({ RequestItems, ...capacityOptions });
      const output = await call('BatchGetItem', () => client.send(command));
      for (const attributes of Object.values(output.Responses ?? {}).flat()) items.push(unmarshalItem(attributes));
      // Only one table was queried, so its key in the response does not matter: it may be the name
      // or the ARN.
      return Object.values(output.UnprocessedKeys ?? {}).flatMap(({ Keys: unprocessed = [] }) => unprocessed);
    }),
  );
  return items;
}

export async function batchWrite(
  { client, tableName, capacityOptions, call, backoffMs }: TableCalls,
  writes: readonly (Put | Delete)[],
): Promise<void> {
  // DynamoDB rejects a batch that names a key twice. As with sequential writes, the last one wins.
  const distinct = new Map(writes.map((write) => [serializeKey(write.kind === 'put' ? write.item : write.key), write]));
  const requests = [...distinct.values()].map(writeRequest);
  await sendBatches(splitIntoBatches(requests, { maxCount: maxWrites }), (batch) =>
    sendUntilProcessed(batch, backoffMs, async (pending) => {
      const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: pending }, ...capacityOptions });
      const output = await call('BatchWriteItem', () => client.send(command));
      return Object.values(output.UnprocessedItems ?? {}).flat();
    }),
  );
}

async function sendUntilProcessed<T>(
  batch: T[],
  backoffMs: number,
  send: (pending: T[]) => Promise<T[]>,
): Promise<void> {
  let pending = batch;
  let idleAttempts = 0;
  for (;;) {
    const unprocessed = await send(pending);
    if (unprocessed.length === 0) return;
    idleAttempts = unprocessed.length < pending.length ? 1 : idleAttempts + 1;
    if (idleAttempts === maxIdleAttempts) {
      throw new EngineUnavailable(
        `the table left ${unprocessed.length} items of a batch unprocessed ${maxIdleAttempts} times in a row`,
      );
    }
    pending = unprocessed;
    await backoff(backoffMs, idleAttempts);
  }
}

function writeRequest(write: Put | Delete): WriteRequest {
  if (write.condition !== undefined) {
    throw new Error('A batch write cannot have a condition. Use write or transact instead.');
  }
  return write.kind === 'put'
    ? { PutRequest: { Item: marshalItem(write.item) } }
    : { DeleteRequest: { Key: marshalKey(write.key) } };
}

function serializeKey({ pk, sk }: Key): string {
  return JSON.stringify([pk, sk]);
}
