// A single write, and the parts that PutItem, UpdateItem, DeleteItem and TransactWriteItems share.
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import {
  type Check,
  ConditionFailed,
  type Delete,
  type Item,
  type Put,
  type Update,
  type WriteCondition,
} from '../ports.ts';
import { buildPlaceholders } from './expression.ts';
import { marshalItem, type StoredAttributes, unmarshalItem } from './marshal.ts';
import { marshalKey, type TableCalls } from './table-call.ts';

const conditionInput = (tableName: string, { condition, values }: WriteCondition, update?: string) =>
  ({
    TableName: tableName,
    ConditionExpression: condition,
    ...buildPlaceholders([update, condition], values),
    ReturnValuesOnConditionCheckFailure: condition === undefined ? undefined : 'ALL_OLD',
  }) as const;

export const putInput = (tableName: string, put: Put) => ({
  ...conditionInput(tableName, put),
  Item: marshalItem(put.item),
});
export const updateInput = (tableName: string, update: Update) => ({
  ...conditionInput(tableName, update, update.update),
  Key: marshalKey(update.key),
  UpdateExpression: update.update,
});
export const deleteInput = (tableName: string, { key, ...writeCondition }: Delete) => ({
  ...conditionInput(tableName, writeCondition),
  Key: marshalKey(key),
});
export const checkInput = (tableName: string, { key, condition, values = {} }: Check) => ({
  ...conditionInput(tableName, { condition, values }),
  Key: marshalKey(key),
  ConditionExpression: condition,
});

export async function writeOne(calls: TableCalls, write: Put | Update | Delete): Promise<Item | undefined> {
  try {
    const { Attributes } = await sendOne(calls, write);
    return Attributes && unmarshalItem(Attributes);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw new ConditionFailed(itemOf(error));
  }
}

function sendOne({ client, tableName, capacityOptions, call }: TableCalls, write: Put | Update | Delete) {
  switch (write.kind) {
    case 'put': {
      const command = new PutItemCommand({
        ...putInput(tableName, write),
        ...capacityOptions,
        ReturnValues: 'ALL_OLD',
      });
      return call('PutItem', () => client.send(command));
    }
    case 'update': {
      const command = new UpdateItemCommand({
        ...updateInput(tableName, write),
        ...capacityOptions,
        ReturnValues: 'ALL_NEW',
      });
      return call('UpdateItem', () => client.send(command));
    }
    case 'delete': {
      const command = new DeleteItemCommand({
        ...deleteInput(tableName, write),
        ...capacityOptions,
        ReturnValues: 'ALL_OLD',
      });
      return call('DeleteItem', () => client.send(command));
    }
  }
}

/**
 * The item that the table had when a condition failed. For a missing item, DynamoDB sends none or
 * an empty one.
 */
export function itemOf({ Item }: { Item?: StoredAttributes | undefined }): Item | undefined {
  return Item === undefined || Object.keys(Item).length === 0 ? undefined : unmarshalItem(Item);
}
