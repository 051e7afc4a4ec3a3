// Puts a running system together: from the environment on AWS and its emulators, or from engines that the local host started.
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { KMSClient } from '@aws-sdk/client-kms';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SQSClient } from '@aws-sdk/client-sqs';
import { awsBus } from '../../shared/platform/aws/bus.ts';
import { clientConfig } from '../../shared/platform/aws/client-config.ts';
import {
  type Connection,
  connectionFromEnvironment,
  type EnvironmentVariables,
} from '../../shared/platform/aws/connection.ts';
import { awsMail } from '../../shared/platform/aws/mail.ts';
import { awsProviderSettings } from '../../shared/platform/aws/provider-secrets.ts';
import { awsQueue } from '../../shared/platform/aws/queue.ts';
import { awsSecrets } from '../../shared/platform/aws/secrets.ts';
import { awsTable } from '../../shared/platform/aws/table.ts';
import { awsVault } from '../../shared/platform/aws/vault.ts';
import { openCourier } from '../../shared/platform/egress/courier.ts';
import { keyringVault, lockedKeyring, openKeyring } from '../../shared/platform/keyring.ts';
import type {
  Bus,
  Clock,
  Courier,
  Egress,
  Log,
  Mail,
  Meter,
  NamedQueue,
  ProviderSettings,
  Random,
  Table,
  Vault,
} from '../../shared/platform/ports.ts';
import { settingsFromEnvironment } from '../../shared/platform/provider-settings.ts';
import { sandboxClient } from '../../shared/sandbox/provider-server/client.ts';
import type { DeploymentFacts, Deps } from '../../shared/system/deps.ts';
import { isOrdered, messageGroup, type OrderedQueue, type QueueName } from '../../shared/system/jobs.ts';
import { openStore } from '../../shared/system/store.ts';
import { vaultKeyRows } from '../../shared/system/vault-key-rows.ts';
import { openEgress } from './egress.ts';
import { mortalTable } from './life.ts';
import { writeLog } from './log.ts';
import { readSettings } from './settings.ts';
import {
  unconfiguredMail,
  ungrantedBus,
  ungrantedCourier,
  ungrantedEgress,
  ungrantedQueue,
  ungrantedTable,
} from './ungranted.ts';

export interface Engines {
  table: Table;
  queue: NamedQueue<QueueName, OrderedQueue>;
  bus: Bus;
  /** Missing for functions that are granted no secret. */
  rootSecret: string | undefined;
  place: DeploymentFacts;
  courier?: Courier;
  egress?: Egress;
  mail?: Mail;
  /** Sealed by the root secret where there is none. */
  vault?: Vault;
  providerSettings?: ProviderSettings;
  clock?: Clock;
  random?: Random;
  log?: Log;
}

export const systemClock: Clock = { now: () => Date.now(), pause: (milliseconds) => wait(milliseconds) };
export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

/**
 * The build defines those of these names that the map grants a function nothing of (`infra/build/bundle.ts`), and leaves out of its bundle what
 * only their other branch needs. Run from the sources, none is defined.
 */
declare const NO_TABLE: true | undefined;
declare const NO_QUEUE: true | undefined;
declare const NO_BUS: true | undefined;
declare const NO_SECRET: true | undefined;
declare const NO_WEBHOOKS: true | undefined;
declare const NO_PROVIDERS: true | undefined;
declare const NO_CREDENTIALS: true | undefined;
declare const NO_TOKENS: true | undefined;
declare const NO_OPENED_TOKENS: true | undefined;
declare const NO_MAIL: true | undefined;

const courierOf = ({ kind }: DeploymentFacts): Courier =>
  typeof NO_WEBHOOKS === 'undefined' ? openCourier({ loopback: kind === 'local' }) : ungrantedCourier;
const egressOf = (place: DeploymentFacts, deps: () => Deps): Egress =>
  typeof NO_PROVIDERS === 'undefined' ? openEgress(place, sandboxClient(deps)) : ungrantedEgress;

export function makeDeps(engines: Engines): Deps {
  const clock = engines.clock ?? systemClock;
  const keyring = engines.rootSecret === undefined ? lockedKeyring : openKeyring(engines.rootSecret);
  const deps: Deps = {
    store: openStore(mortalTable(engines.table, clock), clock),
    queue: engines.queue,
    bus: engines.bus,
    courier: engines.courier ?? courierOf(engines.place),
    egress: engines.egress ?? egressOf(engines.place, () => deps),
    mail: engines.mail ?? unconfiguredMail,
    keyring,
    vault: engines.vault ?? keyringVault(keyring),
    providerSettings: engines.providerSettings ?? settingsFromEnvironment({}),
    clock,
    random: engines.random ?? systemRandom,
    log: engines.log ?? writeLog,
    place: engines.place,
  };
  return deps;
}

/** Short enough that an API function's retries end before its own time does. */
const limits = { timeoutMs: 2000 };

/** Where a function runs: in Lambda, or hosted by a process that plays what is around it. */
export interface Surroundings {
  env: EnvironmentVariables;
  /** By the environment unless given. */
  connection?: Connection;
  meter?: Meter;
  /** Puts a host's own around the engines that the function made for itself. */
  around?(own: Engines): Engines;
  /** Holds the function to what the map grants it. */
  held?(deps: Deps): Deps;
}

export async function depsFromEnvironment({
  env,
  connection = connectionFromEnvironment(env),
  meter,
  around = (own) => own,
  held = (deps) => deps,
}: Surroundings): Promise<Deps> {
  const settings = readSettings(env);
  const { table, queueUrl, bus, place, secretId, secretValue, providersSecretId, vaultKeyId } = settings;
  const ownTable =
    typeof NO_TABLE === 'undefined'
      ? awsTable({
          client: new DynamoDBClient(clientConfig('dynamodb', connection, limits)),
          tableName: table,
          ...(meter ? { meter } : {}),
        })
      : ungrantedTable;
  const own: Engines = {
    table: ownTable,
    queue:
      typeof NO_QUEUE === 'undefined'
        ? awsQueue({
            client: new SQSClient(clientConfig('sqs', connection, limits)),
            urlOf: queueUrl,
            messageGroup,
            isOrdered,
          })
        : ungrantedQueue,
    bus:
      typeof NO_BUS === 'undefined'
        ? awsBus({ client: new EventBridgeClient(clientConfig('events', connection, limits)), busName: bus })
        : ungrantedBus,
    rootSecret:
      typeof NO_SECRET === 'undefined' ? (secretValue ?? (await storedSecret(secretId, connection))) : undefined,
    ...(typeof NO_CREDENTIALS === 'undefined'
      ? { providerSettings: providerSettingsFrom(providersSecretId, env, connection) }
      : {}),
    ...(typeof NO_TOKENS === 'undefined' && vaultKeyId ? { vault: vaultUnder(vaultKeyId, connection, ownTable) } : {}),
    ...(typeof NO_MAIL === 'undefined' && place.mailSender
      ? { mail: mailFrom(place.mailSender, settings.mailConfigurationSet, connection) }
      : {}),
    place,
  };
  return held(makeDeps(around(own)));
}

async function storedSecret(secretId: string | undefined, connection: Connection): Promise<string | undefined> {
  if (!secretId) return undefined;
  const client = new SecretsManagerClient(clientConfig('secretsmanager', connection, limits));
  return awsSecrets({ client, secretId }).root();
}

/** Without a secret, those of the environment. */
function providerSettingsFrom(
  secretId: string | undefined,
  env: EnvironmentVariables,
  connection: Connection,
): ProviderSettings {
  if (!secretId) return settingsFromEnvironment(env);
  const client = new SecretsManagerClient(clientConfig('secretsmanager', connection, limits));
  return awsProviderSettings({ client, secretId, clock: systemClock, log: writeLog });
}

const vaultUnder = (keyId: string, connection: Connection, table: Table): Vault =>
  awsVault({
    client: new KMSClient(clientConfig('kms', connection, limits)),
    keyId,
    clock: systemClock,
    ...(typeof NO_OPENED_TOKENS === 'undefined'
      ? { shared: vaultKeyRows(openStore(table, systemClock)).under(keyId) }
      : {}),
  });

/** With its own time: a mail is sent by workers, which have it, and tried once. */
const mailFrom = (sender: string, configurationSet: string | undefined, connection: Connection): Mail =>
  awsMail({ client: new SESv2Client(clientConfig('ses', connection)), sender, configurationSet });
