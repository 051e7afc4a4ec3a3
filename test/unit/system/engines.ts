// Tables for tests, each with a unique name in the engine that the test files of a worker share.
import { randomUUID } from 'node:crypto';
import { DeleteTableCommand } from '@aws-sdk/client-dynamodb';
import type { TableEngineKind } from '../../../infra/local/engines/table-engine.ts';
import { type LocalTable, startLocalTable } from '../../../infra/local/local-table.ts';
import type { Meter } from '../../../shared/platform/ports.ts';
import { settingNames } from '../../../shared/platform/setting-names.ts';
import { localDynamoDb } from '../../harness/engine-clients.ts';
import { sharedEngine } from '../../harness/shared-engine.ts';

/** Starts an empty table, on the default engine of a local host unless a test names one. */
export async function startTable(kind?: TableEngineKind, meter?: Meter): Promise<LocalTable> {
  const options = { dataDir: 'memory', ...(meter ? { meter } : {}) };
  // A benchmark stops everything that it has started when it ends, but nothing would stop an engine
  // that it shares.
  if (!process.env['VITEST'])
    return startLocalTable({ ...options, env: { PATH: process.env['PATH'] }, ...(kind ? { kind } : {}) });
  const { endpoint } = await sharedEngine(kind);
  const tableName = `daybook-${randomUUID()}`;
  const env = {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    [settingNames.table]: tableName,
  };
  const localTable = await startLocalTable({ ...options, env });
  const stop = async () => void (await localDynamoDb(endpoint).send(new DeleteTableCommand({ TableName: tableName })));
  return { ...localTable, stop };
}
