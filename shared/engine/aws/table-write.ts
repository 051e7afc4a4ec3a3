// The parts of a write that PutItem, UpdateItem, DeleteItem and TransactWriteItems share.
import type { Write } from '../ports.ts';
import { placeholders } from './expression.ts';
import { marshalItem } from './marshal.ts';
import { marshalKey } from './table-call.ts';

export function writeInput(tableName: string, write: Write) {
  const update = write.kind === 'update' ? write.update : undefined;
  return {
    TableName: tableName,
    ...(write.kind === 'put' ? { Item: marshalItem(write.item) } : { Key: marshalKey(write.key) }),
    UpdateExpression: update,
    ConditionExpression: write.condition,
    ...placeholders([update, write.condition], write.values),
    ReturnValuesOnConditionCheckFailure: write.condition === undefined ? undefined : 'ALL_OLD',
  };
}
