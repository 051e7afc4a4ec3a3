// One call to the table, and what it cost if someone measures.
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Key, Meter } from '../ports.ts';
import { type AttributeMap, marshal } from './marshal.ts';
import { asking } from './retries.ts';

interface Consumed {
  CapacityUnits?: number | undefined;
}
interface Metered {
  ConsumedCapacity?: Consumed | Consumed[] | undefined;
}

const reads = new Set(['GetItem', 'BatchGetItem', 'Query']);

export interface TableCalls {
  client: DynamoDBClient;
  tableName: string;
  /** Part of every input. */
  metered: { ReturnConsumedCapacity?: 'TOTAL' };
  call<Output extends Metered>(operation: string, send: () => Promise<Output>): Promise<Output>;
  /** The longest wait before what was left unprocessed, or met another transaction, is sent again; it doubles each time. */
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
    metered: meter ? { ReturnConsumedCapacity: 'TOTAL' } : {},
    backoffMs,
    async call(operation, send) {
      const output = await asking(operation, send);
      meter?.(costOf(operation, output));
      return output;
    },
  };
}

function costOf(operation: string, { ConsumedCapacity }: Metered): Parameters<Meter>[0] {
  const consumed = [ConsumedCapacity ?? []].flat();
  const units = consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
  return reads.has(operation)
    ? { operation, readUnits: units, writeUnits: 0 }
    : { operation, readUnits: 0, writeUnits: units };
}

export function marshalKey({ pk, sk }: Key): AttributeMap {
  return { pk: marshal(pk), sk: marshal(sk) };
}
