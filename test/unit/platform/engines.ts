// A table with an index for the adapter tests, in the engine that the test files of a worker share.
import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TableEngineKind } from '../../../infra/local/engines/table-engine.ts';
import { sharedEngine } from '../../harness/shared-engine.ts';
import { testDynamoDb } from './clients.ts';

export interface EngineTable {
  endpoint: string;
  client: DynamoDBClient;
  tableName: string;
  remove(): Promise<void>;
}

export async function createTable(kind: TableEngineKind): Promise<EngineTable> {
  const { endpoint } = await sharedEngine(kind);
  const client = testDynamoDb(endpoint);
  const tableName = `daybook-${randomUUID()}`;
  await client.send(definition(tableName));
  return {
    endpoint,
    client,
    tableName,
    remove: async () => void (await client.send(new DeleteTableCommand({ TableName: tableName }))),
  };
}

const definition = (tableName: string) =>
  new CreateTableCommand({
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['pk', 'sk', 'owner'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S' as const,
    })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-owner',
        KeySchema: [
          { AttributeName: 'owner', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  });
