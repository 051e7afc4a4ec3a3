// One call to the table, and what it cost if someone measures.
import type { Key, Meter } from '../ports.ts';
import type { AwsClient } from './client.ts';
import { type AttributeMap, marshal } from './marshal.ts';

interface Consumed {
  CapacityUnits?: number;
}
interface Metered {
  ConsumedCapacity?: Consumed | Consumed[];
}

const reads = new Set(['GetItem', 'BatchGetItem', 'Query']);

export type TableCall = <Output>(operation: string, input: object) => Promise<Output>;

export function tableCall(client: AwsClient, meter: Meter | undefined): TableCall {
  if (meter === undefined) return client.call;
  return async <Output>(operation: string, input: object) => {
    const output = await client.call<Output & Metered>(operation, { ...input, ReturnConsumedCapacity: 'TOTAL' });
    const consumed = [output.ConsumedCapacity ?? []].flat();
    const units = consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
    const isRead = reads.has(operation);
    meter({ operation, readUnits: isRead ? units : 0, writeUnits: isRead ? 0 : units });
    return output;
  };
}

export function marshalKey({ pk, sk }: Key): AttributeMap {
  return { pk: marshal(pk), sk: marshal(sk) };
}
