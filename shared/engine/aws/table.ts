// The Table port over DynamoDB.
import { ConditionFailed, type Meter, type Query, type QueryPage, type Table } from '../ports.ts';
import { AwsError } from './aws-error.ts';
import type { AwsClient } from './client.ts';
import { placeholders, projection } from './expression.ts';
import { type AttributeMap, marshalItem, unmarshalItem } from './marshal.ts';
import { batchGet, batchWrite } from './table-batch.ts';
import { marshalKey, tableCall } from './table-call.ts';
import { itemOf, transact } from './table-transaction.ts';
import { writeInput } from './table-write.ts';

interface QueryOutput {
  Items?: AttributeMap[];
  LastEvaluatedKey?: AttributeMap;
}

const writeOperations = { put: 'PutItem', update: 'UpdateItem', delete: 'DeleteItem' } as const;

export interface TableOptions {
  client: AwsClient;
  tableName: string;
  meter?: Meter;
  /** The longest wait before what was left unprocessed, or met another transaction, is sent again; it doubles each time. */
  backoffMs?: number;
}

export function awsTable({ client, tableName, meter, backoffMs = 25 }: TableOptions): Table {
  const call = tableCall(client, meter);

  async function query(query: Query): Promise<QueryPage> {
    const only = projection(query.only);
    const output = await call<QueryOutput>('Query', {
      TableName: tableName,
      IndexName: query.index,
      KeyConditionExpression: query.where,
      ProjectionExpression: only,
      ...placeholders([query.where, only], query.values),
      ScanIndexForward: query.newestFirst ? false : undefined,
      Limit: query.limit,
      ConsistentRead: query.consistent,
      ExclusiveStartKey: query.after && marshalItem(query.after),
    });
    const items = (output.Items ?? []).map(unmarshalItem);
    return output.LastEvaluatedKey ? { items, next: unmarshalItem(output.LastEvaluatedKey) } : { items };
  }

  return {
    async get(key, options) {
      const { Item } = await call<{ Item?: AttributeMap }>('GetItem', {
        TableName: tableName,
        Key: marshalKey(key),
        ConsistentRead: options?.consistent,
      });
      return Item && unmarshalItem(Item);
    },

    batchGet: (keys, options) => batchGet(call, tableName, keys, options?.consistent, backoffMs),

    query,

    async *queryAll(first) {
      let page = await query(first);
      yield* page.items;
      while (page.next) {
        page = await query({ ...first, after: page.next });
        yield* page.items;
      }
    },

    async write(write) {
      try {
        const { Attributes } = await call<{ Attributes?: AttributeMap }>(writeOperations[write.kind], {
          ...writeInput(tableName, write),
          ReturnValues: write.kind === 'update' ? 'ALL_NEW' : 'ALL_OLD',
        });
        return Attributes && unmarshalItem(Attributes);
      } catch (error) {
        if (!(error instanceof AwsError) || error.code !== 'ConditionalCheckFailedException') throw error;
        throw new ConditionFailed(itemOf(JSON.parse(error.body)));
      }
    },

    transact: (writes) => transact(call, tableName, writes, backoffMs),

    batchWrite: (writes) => batchWrite(call, tableName, writes, backoffMs),
  };
}
