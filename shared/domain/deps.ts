// What the verbs of the domain work with: nothing in here is global, so a test or a laptop can bring its own.
import type { Bus, Clock, Courier, Egress, Keyring, Log, Mail, Queue, Random } from '../engine/ports.ts';
import type { QueueName } from '../model/jobs.ts';
import type { Store } from '../store/store.ts';

export interface DeploymentFacts {
  kind: 'local' | 'aws';
  /** Where callers reach this deployment, when that is known beforehand. */
  baseUrl?: string;
  /** The cloud providers this deployment has credentials for. */
  providers?: readonly string[];
}

export interface Deps {
  store: Store;
  queue: Queue<QueueName>;
  bus: Bus;
  courier: Courier;
  egress: Egress;
  mail: Mail;
  keyring: Keyring;
  clock: Clock;
  random: Random;
  log: Log;
  place: DeploymentFacts;
}
