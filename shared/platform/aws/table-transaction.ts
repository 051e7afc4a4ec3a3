// Sends a transaction until it is applied, a condition fails, or the table stays too busy.
import { randomUUID } from 'node:crypto';
import {
  type CancellationReason,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { ConditionFailed, EngineUnavailable, TransactionCanceled, type Write } from '../ports.ts';
import { backoff } from './backoff.ts';
import type { TableCalls } from './table-call.ts';
import { checkInput, deleteInput, itemOf, putInput, updateInput } from './table-write.ts';

const maxWrites = 100;
const maxAttempts = 8;
const transientCodes = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

export async function transact(calls: TableCalls, writes: Write[]): Promise<void> {
  const { client, tableName, capacityOptions, backoffMs } = calls;
  if (writes.length === 0) return;
  if (writes.length > maxWrites) {
    throw new RangeError(`A transaction can have at most ${maxWrites} writes, not ${writes.length}. Split the change.`);
  }
  const TransactItems = writes.map((write) => transactItem(tableName, write));
  for (let failures = 1; ; failures++) {
    try {
      // The token makes the SDK's own retries safe. A canceled transaction changed nothing, so the
      // next attempt is a new one.
      const command = new TransactWriteItemsCommand({
        TransactItems,
        ClientRequestToken: randomUUID(),
        ...capacityOptions,
      });
      await calls.call('TransactWriteItems', () => client.send(command));
      return;
    } catch (error) {
      const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
      if (reasons.some(isConditionFailure)) throw new TransactionCanceled(reasons.map(toConditionFailed));
      const codes = reasons.map(({ Code = 'None' }) => Code).filter((code) => code !== 'None');
      if (codes.length === 0 || !codes.every((code) => transientCodes.has(code))) throw error;
      if (failures === maxAttempts) {
        throw new EngineUnavailable(`a transaction conflicted with others ${maxAttempts} times (${codes.join(', ')})`, {
          cause: error,
        });
      }
      await backoff(backoffMs, failures);
    }
  }
}

function transactItem(tableName: string, write: Write): TransactWriteItem {
  switch (write.kind) {
    case 'put':
      return { Put: putInput(tableName, write) };
    case 'update':
      return { Update: updateInput(tableName, write) };
    case 'delete':
      return { Delete: deleteInput(tableName, write) };
    case 'check':
      return { ConditionCheck: checkInput(tableName, write) };
  }
}

function isConditionFailure(reason: CancellationReason): boolean {
  return reason.Code === 'ConditionalCheckFailed';
}

function toConditionFailed(reason: CancellationReason): ConditionFailed | undefined {
  return isConditionFailure(reason) ? new ConditionFailed(itemOf(reason)) : undefined;
}
