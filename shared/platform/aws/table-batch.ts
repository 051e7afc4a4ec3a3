// Reads and writes of many items at once; what the table leaves unprocessed is sent again.
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { type Delete, EngineUnavailable, type Item, type Key, type Put } from '../ports.ts';
import { backoff } from './backoff.ts';
import { batchesOf, sendBatches } from './batches.ts';
import { marshalItem, unmarshalItem } from './marshal.ts';
import { marshalKey, type TableCalls } from './table-call.ts';

type Attributes = Record<string, AttributeValue>;

const mostKeys = 100;
const mostWrites = 25;
const mostIdleTries = 8;

export async function batchGet(
  { client, tableName, metered, call, backoffMs }: TableCalls,
  keys: readonly Key[],
  consistent: boolean | undefined,
): Promise<Item[]> {
  const distinct = new Map(keys.map((key) => [identity(key), marshalKey(key)]));
  const items: Item[] = [];
  await sendBatches(batchesOf([...distinct.values()], { most: mostKeys }), (batch) =>
    untilProcessed<Attributes>(batch, backoffMs, async (Keys) => {
      const RequestItems = { [tableName]: { Keys, ConsistentRead: consistent } };
      const command = new BatchGetItemCommand({ RequestItems, ...metered });
      const output = await call('BatchGetItem', () => client.send(command));
      for (const attributes of Object.values(output.Responses ?? {}).flat()) items.push(unmarshalItem(attributes));
      // One table was asked, whatever it is called in the answer: by its name, or by its ARN.
      return Object.values(output.UnprocessedKeys ?? {}).flatMap(({ Keys: left = [] }) => left);
    }),
  );
  return items;
}

export async function batchWrite(
  { client, tableName, metered, call, backoffMs }: TableCalls,
  writes: readonly (Put | Delete)[],
): Promise<void> {
  // DynamoDB refuses a batch that names a key twice; as with writes in sequence, the last one counts.
  const distinct = new Map(writes.map((write) => [identity(write.kind === 'put' ? write.item : write.key), write]));
  const requests = [...distinct.values()].map(writeRequest);
  await sendBatches(batchesOf(requests, { most: mostWrites }), (batch) =>
    untilProcessed(batch, backoffMs, async (pending) => {
      const command = new BatchWriteItemCommand({ RequestItems: { [tableName]: pending }, ...metered });
      const output = await call('BatchWriteItem', () => client.send(command));
      return Object.values(output.UnprocessedItems ?? {}).flat();
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
