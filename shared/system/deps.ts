// What the verbs of the domain work with: nothing in here is global, so a test or a laptop can bring its own.
import type {
  Bus,
  Clock,
  Egress,
  Keyring,
  Log,
  Mail,
  NamedQueue,
  ProviderSettings,
  Random,
  Vault,
  WebhookClient,
} from '../platform/ports.ts';
import type { FifoQueueName, QueueName } from './jobs.ts';
import type { Store } from './store.ts';

export interface DeploymentFacts {
  kind: 'local' | 'aws';
  /** Where callers reach this deployment, when that is known beforehand. */
  baseUrl?: string;
  /** Who signs the mail of this deployment. Without one nothing is mailed, and callers are handed links instead. */
  mailSender?: string;
  /** The identity of the table: another one after a restore, so that cursors of the one before are known. */
  tableEpoch?: string;
}

export interface Deps {
  store: Store;
  queue: NamedQueue<QueueName, FifoQueueName>;
  bus: Bus;
  webhookClient: WebhookClient;
  egress: Egress;
  mail: Mail;
  keyring: Keyring;
  vault: Vault;
  providerSettings: ProviderSettings;
  clock: Clock;
  random: Random;
  log: Log;
  deployment: DeploymentFacts;
}
