// Puts a running system together: from the environment on AWS and its emulators, or from engines that the local host started.
import { randomBytes } from 'node:crypto';
import type { Deployment, Deps } from '../domain/deps.ts';
import { awsBus } from '../engine/aws/bus.ts';
import { awsClient } from '../engine/aws/client.ts';
import { connectionFromEnvironment } from '../engine/aws/connection.ts';
import { awsQueue } from '../engine/aws/queue.ts';
import { awsSecrets } from '../engine/aws/secrets.ts';
import { awsTable } from '../engine/aws/table.ts';
import { openCourier } from '../engine/egress/courier.ts';
import { lockedKeyring, openKeyring } from '../engine/keyring.ts';
import type { Bus, Clock, Courier, Log, Queue, Random, Table } from '../engine/ports.ts';
import type { QueueName } from '../model/jobs.ts';
import { openStore } from '../store/store.ts';
import { mortalTable } from './life.ts';
import { writeLog } from './log.ts';
import { readSettings } from './settings.ts';

export interface Engines {
  table: Table;
  queue: Queue<QueueName>;
  bus: Bus;
  /** Missing for functions that are granted no secret. */
  rootSecret: string | undefined;
  place: Deployment;
  courier?: Courier;
  clock?: Clock;
  random?: Random;
  log?: Log;
}

export const systemClock: Clock = { now: () => Date.now() };
export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

export function makeDeps(engines: Engines): Deps {
  const clock = engines.clock ?? systemClock;
  return {
    store: openStore(mortalTable(engines.table, clock), clock),
    queue: engines.queue,
    bus: engines.bus,
    courier: engines.courier ?? openCourier({ loopback: engines.place.kind === 'local' }),
    keyring: engines.rootSecret === undefined ? lockedKeyring : openKeyring(engines.rootSecret),
    clock,
    random: engines.random ?? systemRandom,
    log: engines.log ?? writeLog,
    place: engines.place,
  };
}

/** Short enough that an API function's retries end before its own time does. */
const engineTimeoutMs = 2000;

export async function depsFromEnvironment(): Promise<Deps> {
  const settings = readSettings(process.env);
  const connection = connectionFromEnvironment(process.env);
  const client = (service: Parameters<typeof awsClient>[0]['service']) =>
    awsClient({
      service,
      region: connection.region,
      endpoint: connection.endpointOf(service),
      credentials: connection.credentials,
      timeoutMs: engineTimeoutMs,
    });
  const rootSecret =
    settings.secretValue ??
    (settings.secretId
      ? await awsSecrets({ client: client('secretsmanager'), secretId: settings.secretId }).root()
      : undefined);
  return makeDeps({
    table: awsTable({ client: client('dynamodb'), tableName: settings.table }),
    queue: awsQueue({ client: client('sqs'), urlOf: settings.queueUrl }),
    bus: awsBus({ client: client('events'), busName: settings.bus }),
    rootSecret,
    place: settings.place,
  });
}
