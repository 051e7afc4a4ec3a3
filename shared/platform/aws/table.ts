// The Table port over DynamoDB.
import { type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { Meter, Query, QueryPage, Table } from '../ports.ts';
import { buildPlaceholders, buildProjection } from './expression.ts';
import { marshalItem, unmarshalItem } from './marshal.ts';
import { batchGet, batchWrite } from './table-batch.ts';
import { marshalKey, tableCalls } from './table-call.ts';
import { transact } from './table-transaction.ts';
import { writeOne } from './table-write.ts';

export interface TableOptions {
  client: DynamoDBClient;
  tableName: string;
  meter?: Meter;
  backoffMs?: number;
}

export function awsTable({ client, tableName, meter, backoffMs = 25 }: TableOptions): Table {
  const calls = tableCalls(client, tableName, meter, backoffMs);
  const { call, capacityOptions } = calls;

  async function query(query: Query): Promise<QueryPage> {
    const projectionExpression = buildProjection(query.only);
    const command = new QueryCommand({
      TableName: tableName,
      IndexName: query.index,
      KeyConditionExpression: query.where,
      ProjectionExpression: projectionExpression,
      ...buildPlaceholders([query.where, projectionExpression], query.values),
      ScanIndexForward: query.newestFirst ? false : undefined,
      Limit: query.limit,
      ConsistentRead: query.consistent,
      ExclusiveStartKey: query.after && marshalItem(query.after),
      ...capacityOptions,
    });
    const output = await call('Query', () => client.send(command));
    const items = (output.Items ?? []).map(unmarshalItem);
    return output.LastEvaluatedKey ? { items, next: unmarshalItem(output.LastEvaluatedKey) } : { items };
  }

  return {
    async get(key, options) {
      const command = new GetItemCommand({
        TableName: tableName,
        Key: marshalKey(key),
        ConsistentRead: options?.consistent,
        ...capacityOptions,
      });
      const { Item } = await call('GetItem', () => client.send(command));
      return Item && unmarshalItem(Item);
    },

    batchGet: (keys, options) => batchGet(calls, keys, options?.consistent),

    query,

    async *queryAll(first) {
      let page = await query(first);
      yield* page.items;
      while (page.next) {
        page = await query({ ...first, after: page.next });
        yield* page.items;
      }
    },

    write: (write) => writeOne(calls, write),

    transact: (writes) => transact(calls, writes),

    batchWrite: (writes) => batchWrite(calls, writes),
  };
}
