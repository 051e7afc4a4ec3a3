// The local table, ready for use: created if missing, in an engine of its own or in one that is
// already running.
import { existsSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { clientConfig } from '../../shared/platform/aws/client-config.ts';
import type { EnvironmentVariables } from '../../shared/platform/aws/connection.ts';
import { awsTable } from '../../shared/platform/aws/table.ts';
import type { Meter, Table } from '../../shared/platform/ports.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import { DataInUse, type DataLock, lockDataDir } from './data-lock.ts';
import { externalConnection, externalEndpoint, localConnection } from './engines/connection.ts';
import { startTableEngine, type TableEngine, type TableEngineKind } from './engines/table-engine.ts';
import { ensureTable, TableMissing } from './ensure-table.ts';
import { readHostFile } from './host-file.ts';
import { findRunningHost } from './running-hosts.ts';

export interface LocalTable {
  endpoint: string;
  tableName: string;
  table: Table;
  streams: DynamoDBStreamsClient;
  streamArn: string;
  /** Undefined when an external engine is used. */
  engine?: TableEngine;
  stop(): Promise<void>;
}

export interface LocalTableOptions {
  dataDir: string;
  env: EnvironmentVariables;
  kind?: TableEngineKind;
  meter?: Meter;
  /** Throws `TableMissing` instead of creating the table. */
  mustExist?: boolean;
}

/** The caller must hold the lock of the data folder. */
export async function startLocalTable(options: LocalTableOptions): Promise<LocalTable> {
  const { dataDir, env, kind, meter, mustExist } = options;
  const tableName = env[settingNames.table] || 'daybook';
  const external = externalEndpoint(env, 'dynamodb');
  const engine = external ? undefined : await startTableEngine({ dataDir, env, ...(kind ? { kind } : {}) });
  const endpoint = external ?? engine?.endpoint ?? '';
  const connection = external ? externalConnection(endpoint, env) : localConnection(endpoint);
  try {
    const client = new DynamoDBClient(clientConfig('dynamodb', connection));
    const streamArn = await ensureTable(client, tableName, { mustExist });
    return {
      endpoint,
      tableName,
      table: awsTable({ client, tableName, ...(meter ? { meter } : {}) }),
      streams: new DynamoDBStreamsClient(clientConfig('streams', connection)),
      streamArn,
      ...(engine ? { engine } : {}),
      stop: async () => engine?.stop(),
    };
  } catch (error) {
    await engine?.stop();
    throw error;
  }
}

/**
 * For the CLI: the table of a running host, or of an engine started only for this call. A table that
 * the environment names may be meant to be on AWS, so it is not created here: throws `TableMissing`.
 */
export async function openLocalTable(options: {
  dataDir: string;
  env?: EnvironmentVariables;
}): Promise<{ table: Table; stop(): Promise<void> }> {
  const { dataDir, env = process.env } = options;
  const namedTable = env[settingNames.table] || undefined;
  if (namedTable !== undefined && !externalEndpoint(env, 'dynamodb') && !existsSync(dataDir))
    throw new TableMissing(namedTable);
  let lock: DataLock;
  try {
    lock = lockDataDir(dataDir);
  } catch (error) {
    const host = error instanceof DataInUse && findRunningHost(dataDir) ? readHostFile(dataDir) : undefined;
    if (!host) throw error;
    if (namedTable !== undefined && namedTable !== host.table_name) throw new TableMissing(namedTable);
    const external = externalEndpoint(env, 'dynamodb') === host.table_endpoint;
    const connection = external ? externalConnection(host.table_endpoint, env) : localConnection(host.table_endpoint);
    const client = new DynamoDBClient(clientConfig('dynamodb', connection));
    return { table: awsTable({ client, tableName: host.table_name }), stop: async () => {} };
  }
  try {
    const { table, stop } = await startLocalTable({ dataDir, env, mustExist: namedTable !== undefined });
    return {
      table,
      async stop() {
        await stop();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
