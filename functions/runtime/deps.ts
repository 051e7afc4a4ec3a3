// Assembles a running system: from the environment on AWS and its emulators, or from engines that
// the local host started.
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
  type AwsConnection,
  type EnvironmentVariables,
  readAwsConnection,
} from '../../shared/platform/aws/connection.ts';
import { awsMail } from '../../shared/platform/aws/mail.ts';
import { awsProviderSettings } from '../../shared/platform/aws/provider-secrets.ts';
import { awsQueue } from '../../shared/platform/aws/queue.ts';
import { awsSecrets } from '../../shared/platform/aws/secrets.ts';
import { awsTable } from '../../shared/platform/aws/table.ts';
import { awsVault } from '../../shared/platform/aws/vault.ts';
import { createWebhookClient } from '../../shared/platform/egress/webhook-client.ts';
import { createKeyringVault, openKeyring, ungrantedKeyring } from '../../shared/platform/keyring.ts';
import type {
  Bus,
  Clock,
  Egress,
  Log,
  Mail,
  Meter,
  NamedQueue,
  ProviderSettings,
  Random,
  Table,
  Vault,
  WebhookClient,
} from '../../shared/platform/ports.ts';
import { providerSettingsFromEnvironment } from '../../shared/platform/provider-settings.ts';
import { createSandboxClient } from '../../shared/sandbox/provider-server/sandbox-client.ts';
import type { DeploymentFacts, Deps } from '../../shared/system/deps.ts';
import { type FifoQueueName, getMessageGroupId, isFifoQueue, type QueueName } from '../../shared/system/jobs.ts';
import { openStore } from '../../shared/system/store.ts';
import { vaultKeyRows } from '../../shared/system/vault-key-rows.ts';
import { createEgress } from './egress.ts';
import { writeLog } from './log.ts';
import { withWriteDeadline } from './run-deadline.ts';
import { readSettings } from './settings.ts';
import {
  unconfiguredMail,
  ungrantedBus,
  ungrantedEgress,
  ungrantedQueue,
  ungrantedTable,
  ungrantedWebhookClient,
} from './ungranted.ts';

export interface Engines {
  table: Table;
  queue: NamedQueue<QueueName, FifoQueueName>;
  bus: Bus;
  /** Undefined for functions that are granted no secret. */
  rootSecret: string | undefined;
  deployment: DeploymentFacts;
  webhookClient?: WebhookClient;
  egress?: Egress;
  mail?: Mail;
  /** Defaults to a vault that seals with the root secret. */
  vault?: Vault;
  providerSettings?: ProviderSettings;
  clock?: Clock;
  random?: Random;
  log?: Log;
}

export const systemClock: Clock = { now: () => Date.now(), pause: (milliseconds) => wait(milliseconds) };
export const systemRandom: Random = { bytes: (count) => randomBytes(count) };

/**
 * The build (`infra/build/bundle.ts`) defines the names below whose resource the function manifest
 * does not grant, and drops from the bundle the code that only the other branch needs. None is
 * defined when the code runs from source.
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

const createDefaultWebhookClient = ({ kind }: DeploymentFacts): WebhookClient =>
  typeof NO_WEBHOOKS === 'undefined' ? createWebhookClient({ loopback: kind === 'local' }) : ungrantedWebhookClient;
const createDefaultEgress = (deployment: DeploymentFacts, deps: () => Deps): Egress =>
  typeof NO_PROVIDERS === 'undefined' ? createEgress(deployment, createSandboxClient(deps)) : ungrantedEgress;

export function makeDeps(engines: Engines): Deps {
  const clock = engines.clock ?? systemClock;
  const keyring = engines.rootSecret === undefined ? ungrantedKeyring : openKeyring(engines.rootSecret);
  const deps: Deps = {
    store: openStore(withWriteDeadline(engines.table, clock), clock),
    queue: engines.queue,
    bus: engines.bus,
    webhookClient: engines.webhookClient ?? createDefaultWebhookClient(engines.deployment),
    egress: engines.egress ?? createDefaultEgress(engines.deployment, () => deps),
    mail: engines.mail ?? unconfiguredMail,
    keyring,
    vault: engines.vault ?? createKeyringVault(keyring),
    providerSettings: engines.providerSettings ?? providerSettingsFromEnvironment({}),
    clock,
    random: engines.random ?? systemRandom,
    log: engines.log ?? writeLog,
    deployment: engines.deployment,
  };
  return deps;
}

/** Short enough that an API function's retries end before its own timeout. */
const clientOptions = { timeoutMs: 2000 };

/** Where a function runs: in Lambda, or inside a host process that emulates its surroundings. */
export interface RuntimeOptions {
  env: EnvironmentVariables;
  /** Read from the environment by default. */
  connection?: AwsConnection;
  meter?: Meter;
  /** Lets the host wrap the engines that the function created for itself. */
  wrapEngines?(baseEngines: Engines): Engines;
  /** Restricts the function to what the function manifest grants it. */
  enforceGrants?(deps: Deps): Deps;
}

export async function depsFromEnvironment({
  env,
  connection = readAwsConnection(env),
  meter,
  wrapEngines = (baseEngines) => baseEngines,
  enforceGrants = (deps) => deps,
}: RuntimeOptions): Promise<Deps> {
  const settings = readSettings(env);
  const { table, queueUrl, bus, deployment, secretId, secretValue, providersSecretId, vaultKeyId } = settings;
  const baseTable =
    typeof NO_TABLE === 'undefined'
      ? awsTable({
          client: new DynamoDBClient(clientConfig('dynamodb', connection, clientOptions)),
          tableName: table,
          ...(meter ? { meter } : {}),
        })
      : ungrantedTable;
  const baseEngines: Engines = {
    table: baseTable,
    queue:
      typeof NO_QUEUE === 'undefined'
        ? awsQueue({
            client: new SQSClient(clientConfig('sqs', connection, clientOptions)),
            urlOf: queueUrl,
            messageGroup: getMessageGroupId,
            isOrdered: isFifoQueue,
          })
        : ungrantedQueue,
    bus:
      typeof NO_BUS === 'undefined'
        ? awsBus({ client: new EventBridgeClient(clientConfig('events', connection, clientOptions)), busName: bus })
        : ungrantedBus,
    rootSecret:
      typeof NO_SECRET === 'undefined' ? (secretValue ?? (await readRootSecret(secretId, connection))) : undefined,
    ...(typeof NO_CREDENTIALS === 'undefined'
      ? { providerSettings: createProviderSettings(providersSecretId, env, connection) }
      : {}),
    ...(typeof NO_TOKENS === 'undefined' && vaultKeyId
      ? { vault: createVault(vaultKeyId, connection, baseTable) }
      : {}),
    ...(typeof NO_MAIL === 'undefined' && deployment.mailSender
      ? { mail: createMail(deployment.mailSender, settings.mailConfigurationSet, connection) }
      : {}),
    deployment,
  };
  return enforceGrants(makeDeps(wrapEngines(baseEngines)));
}

async function readRootSecret(secretId: string | undefined, connection: AwsConnection): Promise<string | undefined> {
  if (!secretId) return undefined;
  const client = new SecretsManagerClient(clientConfig('secretsmanager', connection, clientOptions));
  return awsSecrets({ client, secretId }).root();
}

/** Without a secret, the settings come from the environment. */
function createProviderSettings(
  secretId: string | undefined,
  env: EnvironmentVariables,
  connection: AwsConnection,
): ProviderSettings {
  if (!secretId) return providerSettingsFromEnvironment(env);
  const client = new SecretsManagerClient(clientConfig('secretsmanager', connection, clientOptions));
  return awsProviderSettings({ client, secretId, clock: systemClock, log: writeLog });
}

const createVault = (keyId: string, connection: AwsConnection, table: Table): Vault =>
  awsVault({
    client: new KMSClient(clientConfig('kms', connection, clientOptions)),
    keyId,
    clock: systemClock,
    ...(typeof NO_OPENED_TOKENS === 'undefined'
      ? { shared: vaultKeyRows(openStore(table, systemClock)).forKmsKey(keyId) }
      : {}),
  });

/**
 * Uses the default timeout: only workers send mail, they have the time, and each message is tried
 * once.
 */
const createMail = (sender: string, configurationSet: string | undefined, connection: AwsConnection): Mail =>
  awsMail({ client: new SESv2Client(clientConfig('ses', connection)), sender, configurationSet });
