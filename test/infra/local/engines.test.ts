import { CreateTableCommand, DescribeTableCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startQueueEngine } from '../../../infra/local/engines/queue-engine.ts';
import { startTableEngine } from '../../../infra/local/engines/table-engine.ts';
import { ensureTable } from '../../../infra/local/ensure-table.ts';
import { tableSchema } from '../../../shared/system/table-schema.ts';
import { localDynamoDb } from '../../harness/engine-clients.ts';
import { chainFunctions, chainQueues } from './fixtures/manifest.ts';
import { memoryHost } from './local-host.ts';

async function startMemoryEngine() {
  const engine = await startTableEngine({ dataDir: 'memory' });
  onTestFinished(() => engine.stop());
  return engine;
}

describe('the local table', () => {
  const keys = [
    { AttributeName: 'pk', KeyType: 'HASH' as const },
    { AttributeName: 'sk', KeyType: 'RANGE' as const },
  ];
  const definitions = keys.map(({ AttributeName }) => ({ AttributeName, AttributeType: 'S' as const }));

  test('of an older version gets its missing indexes', async () => {
    const client = localDynamoDb((await startMemoryEngine()).endpoint);
    await client.send(
      new CreateTableCommand({
        TableName: 'older',
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keys,
        AttributeDefinitions: definitions,
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
    );
    const stream = await ensureTable(client, 'older');
    expect(await ensureTable(client, 'older')).toBe(stream);
    const { Table } = await client.send(new DescribeTableCommand({ TableName: 'older' }));
    const names = Table?.GlobalSecondaryIndexes?.map((index) => index.IndexName);
    expect(names?.sort()).toEqual(tableSchema.indexes.map((index): string => index.name).sort());
  });

  test('is not used if it belongs to another application', async () => {
    const client = localDynamoDb((await startMemoryEngine()).endpoint);
    await client.send(
      new CreateTableCommand({
        TableName: 'foreign',
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      }),
    );
    await expect(ensureTable(client, 'foreign')).rejects.toThrow(
      'The table foreign is not a Daybook table: its keys are id.',
    );
  });

  test('without its stream is rejected with instructions', async () => {
    const client = localDynamoDb((await startMemoryEngine()).endpoint);
    await client.send(
      new CreateTableCommand({
        TableName: 'still',
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: keys,
        AttributeDefinitions: definitions,
      }),
    );
    await expect(ensureTable(client, 'still')).rejects.toThrow('The table still has no stream.');
  });
});

test('a host uses the engines from the environment, and leaves them running', async () => {
  const table = await startMemoryEngine();
  const queues = await startQueueEngine({}, {});
  onTestFinished(() => queues.stop());
  const env = {
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    AWS_ENDPOINT_URL_SQS: queues.endpoint,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    DAYBOOK_TABLE: 'elsewhere',
  };
  const host = await memoryHost({ functions: chainFunctions, queues: chainQueues, env });
  expect(host.enginePids).toEqual([]);
  await fetch(`${host.baseUrl}/chain`, { method: 'POST', body: '{"id":"out"}' });
  await host.drain();
  expect(await host.table.get({ pk: 'CHAIN#out', sk: 'DONE' }, { consistent: true })).toBeDefined();
  await host.stop();
  const { TableNames } = await localDynamoDb(table.endpoint).send(new ListTablesCommand());
  expect(TableNames).toEqual(['elsewhere']);
});

test('a manifest whose function reads a missing queue is rejected', async () => {
  await expect(memoryHost({ functions: chainFunctions, queues: {} })).rejects.toThrow(
    'chain-first is triggered by the queue first, which the function manifest does not define',
  );
});
