// What a function's connection is made of, and what a failed condition reports for a missing item.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, expect, test, vi } from 'vitest';
import { readAwsConnection } from '../../../shared/platform/aws/connection.ts';
import { awsTable } from '../../../shared/platform/aws/table.ts';
import { testDynamoDb } from './clients.ts';
import { refuse, scriptedServer } from './scripted-server.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'daybook-'));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test('a configuration file does not change the endpoint of a function', async () => {
  const file = path.join(folder, 'config');
  writeFileSync(file, '[default]\nendpoint_url = http://127.0.0.1:9\n');
  vi.stubEnv('AWS_CONFIG_FILE', file);
  const env = { AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  const client = testDynamoDb('', {}, readAwsConnection(env));
  let host = '';
  client.middlewareStack.add(
    () => async (args) => {
      host = Object.assign({ hostname: '' }, args.request).hostname;
      throw new Error('far enough');
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  const key = { pk: { S: 'a' }, sk: { S: 'b' } };
  await expect(client.send(new GetItemCommand({ TableName: 'daybook', Key: key }))).rejects.toThrow('far enough');
  expect(host).toBe('dynamodb.eu-west-1.amazonaws.com');
});

test('half of the credentials count as none', async () => {
  for (const half of [{ AWS_ACCESS_KEY_ID: 'a' }, { AWS_SECRET_ACCESS_KEY: 'b' }])
    await expect(readAwsConnection({ AWS_REGION: 'eu-west-1', ...half }).credentials()).rejects.toThrow(
      /No AWS credentials/,
    );
});

test.each([{}, { Item: {} }])('a condition that fails on a missing item reports no item: %j', async (rest) => {
  await using server = await scriptedServer(refuse('ConditionalCheckFailedException', rest));
  const table = awsTable({ client: testDynamoDb(server.endpoint), tableName: 'daybook' });
  const write = table.write({ kind: 'delete', key: { pk: 'a', sk: 'b' }, condition: 'attribute_exists(#pk)' });
  await expect(write).rejects.toMatchObject({ item: undefined });
});
