// The dependencies of the domain's functions. Nothing here is global, so a test or a laptop can
// supply its own.
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
  /** The URL of this deployment, if it is known in advance. */
  baseUrl?: string;
  /**
   * The sender of this deployment's mail. Without one, no mail is sent, and callers get links
   * instead.
   */
  mailSender?: string;
  /**
   * The identity of the table. It changes with a restore, so that cursors of the earlier table are
   * recognized.
   */
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
