// All or nothing: sends a transaction until it is applied, refused by a condition, or the table stays too busy.
import { randomUUID } from 'node:crypto';
import { ConditionFailed, EngineUnavailable, TransactionRefused, type Write } from '../ports.ts';
import { AwsError } from './aws-error.ts';
import { backoff } from './backoff.ts';
import { type AttributeMap, unmarshalItem } from './marshal.ts';
import type { TableCall } from './table-call.ts';
import { writeInput } from './table-write.ts';

interface Reason {
  Code?: string;
  Item?: AttributeMap;
}

const mostWrites = 100;
const mostTries = 8;
const elements = { put: 'Put', update: 'Update', delete: 'Delete', check: 'ConditionCheck' } as const;
const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

export async function transact(call: TableCall, tableName: string, writes: Write[], backoffMs: number): Promise<void> {
  if (writes.length === 0) return;
  if (writes.length > mostWrites) {
    throw new RangeError(`A transaction takes at most ${mostWrites} writes, not ${writes.length}; split the change.`);
  }
  const TransactItems = writes.map((write) => ({ [elements[write.kind]]: writeInput(tableName, write) }));
  for (let failures = 1; ; failures++) {
    try {
      // The token makes the client's own retries safe. A canceled transaction changed nothing, so its next try is a new one.
      await call('TransactWriteItems', { TransactItems, ClientRequestToken: randomUUID() });
      return;
    } catch (error) {
      const reasons = cancellationReasons(error);
      if (reasons.some(isRefusal)) throw new TransactionRefused(reasons.map(conditionFailed));
      const codes = reasons.map(({ Code = 'None' }) => Code).filter((code) => code !== 'None');
      if (codes.length === 0 || !codes.every((code) => passing.has(code))) throw error;
      if (failures === mostTries) {
        throw new EngineUnavailable(`a transaction met others ${mostTries} times (${codes.join(', ')})`, {
          cause: error,
        });
      }
      await backoff(backoffMs, failures);
    }
  }
}

function cancellationReasons(error: unknown): Reason[] {
  if (!(error instanceof AwsError) || error.code !== 'TransactionCanceledException') return [];
  const body: { CancellationReasons?: Reason[] } = JSON.parse(error.body);
  return body.CancellationReasons ?? [];
}

function isRefusal(reason: Reason): boolean {
  return reason.Code === 'ConditionalCheckFailed';
}

function conditionFailed(reason: Reason): ConditionFailed | undefined {
  return isRefusal(reason) ? new ConditionFailed(itemOf(reason)) : undefined;
}

/** What the table held when a condition failed; DynamoDB sends no item, or an empty one, for nothing. */
export function itemOf({ Item }: { Item?: AttributeMap }) {
  return Item === undefined || Object.keys(Item).length === 0 ? undefined : unmarshalItem(Item);
}
