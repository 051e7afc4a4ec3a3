// Makes one call to the table and meters its cost on request.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Key, Meter } from '../ports.ts';
import { type AttributeMap, marshal } from './marshal.ts';
import { callAws } from './retries.ts';

interface CapacityEntry {
  CapacityUnits?: number | undefined;
}
interface MeteredOutput {
  ConsumedCapacity?: CapacityEntry | CapacityEntry[] | undefined;
}

const readOperations = new Set(['GetItem', 'BatchGetItem', 'Query']);

export interface TableCalls {
  client: DynamoDBClient;
  tableName: string;
  /** Part of every input. */
  capacityOptions: { ReturnConsumedCapacity?: 'TOTAL' };
  call<Output extends MeteredOutput>(operation: string, send: () => Promise<Output>): Promise<Output>;
  /**
   * The longest delay before unprocessed items, or a transaction that met a conflict, are sent
   * again; it doubles each time.
   */
  backoffMs: number;
}

export function tableCalls(
  client: DynamoDBClient,
  tableName: string,
  meter: Meter | undefined,
  backoffMs: number,
): TableCalls {
  return {
    client,
    tableName,
    capacityOptions: meter ? { ReturnConsumedCapacity: 'TOTAL' } : {},
    backoffMs,
    async call(operation, send) {
      const output = await callAws(operation, send);
      meter?.(costOf(operation, output));
      return output;
    },
  };
}

function costOf(operation: string, { ConsumedCapacity }: MeteredOutput): Parameters<Meter>[0] {
  const consumed = [ConsumedCapacity ?? []].flat();
  const units = consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return readOperations.has(operation)
    ? { operation, readUnits: units, writeUnits: 0 }
    : { operation, readUnits: 0, writeUnits: units };
}

export function marshalKey({ pk, sk }: Key): AttributeMap {
  return { pk: marshal(pk), sk: marshal(sk) };
}
