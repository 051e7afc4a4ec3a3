// What the map says of a function, and of a queue.
import { type FifoQueueName, isFifoQueue, type QueueName } from '../shared/system/jobs.ts';

export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem';

export type Trigger =
  /**
   * `fallback` also takes every request that no other function's routes match. `maxPerSecond` is what its routes get of the requests that
   * the whole API may take; whoever sends more is told 429 before the function runs.
   */
  | {
      kind: 'http';
      /**
       * `maxBodyBytes` of those that take a body: the laptop's gateway refuses longer ones before
       * it reads them.
       */
      routes: readonly { method: string; path: string; maxBodyBytes?: number }[];
      fallback?: boolean;
      maxPerSecond?: number;
    }
  /**
   * `localConcurrency` is how many batches a laptop works on at the same time, where Lambda would start as many instances; `maxConcurrency` (2 to 1000)
   * is what Lambda keeps to as well in an account with `accountConcurrency`, so that a queue whose work hangs leaves the other functions room to run.
   */
  | {
      kind: 'queue';
      queue: QueueName;
      batchSize: number;
      localConcurrency?: number;
      maxConcurrency?: number;
      /** Events of the bus whose details a rule puts into the queue, by detail type. */
      busTypes?: readonly string[];
    }
  /**
   * Items of the table's stream that have this text attribute after an insert or a change. The mapping collects them for
   * up to `windowSeconds`; a laptop hands them on at once.
   */
  | { kind: 'stream'; attribute: string; batchSize: number; windowSeconds?: number }
  | { kind: 'schedule'; everyMinutes: number };

/** The endpoints of webhooks, and the hosts of providers. */
export type OutboundTarget = 'webhooks' | 'providers';

/** What vendors gave this deployment, and the tokens of its people, which only their key opens; `new_tokens` seals those that have just come, and opens none. */
export type ProviderSecret = 'credentials' | 'tokens' | 'new_tokens';

/** Whether it has to do with the key of tokens at all. */
export const sealsTokens = ({
  providerSecrets = [],
}: {
  providerSecrets?: readonly ProviderSecret[] | undefined;
}): boolean => providerSecrets.includes('tokens') || providerSecrets.includes('new_tokens');

/** Who answers at the public address, and who tells it to vendors or to people. */
export const needsBaseUrl = ({ trigger, calls, mails }: AddressingSpec): boolean =>
  trigger.kind === 'http' || calls?.includes('providers') === true || mails === true;

/** Who mails, and who hands out links instead where nobody does. */
export const needsMailSender = ({ trigger, mails }: AddressingSpec): boolean =>
  trigger.kind === 'http' || mails === true;

interface AddressingSpec extends Pick<FunctionSpec, 'calls' | 'mails'> {
  trigger: { kind: Trigger['kind'] };
}

export interface FunctionSpec {
  entry: string;
  trigger: Trigger;
  table: readonly TableAction[];
  sends: readonly QueueName[];
  publishes: boolean;
  /** Whether it needs the deployment's root secret (API keys, tokens, cursors, encryption). */
  secret: boolean;
  /** Whom it calls outside of the deployment; nobody unless told. */
  calls?: readonly OutboundTarget[];
  /** Which secrets of vendors it may read; none unless told. */
  providerSecrets?: readonly ProviderSecret[];
  /** Whether it sends mail, where a sender is configured. */
  mails?: true;
  /** Whether it hands out cursors of the feed, which are good for one table. */
  readsFeed?: true;
  /** Whether it writes JSON Schema: the OpenAPI document. Bundles of the others have no writer. */
  writesSchemas?: true;
  memoryMb: number;
  timeoutSeconds: number;
  whenItFails: string;
}

export interface QueueSpec {
  /** After so many failed tries a message moves to the queue's dead-letter queue. */
  maxReceives: number;
}

/**
 * How long a message stays with the function that received it. AWS advises six times the function's timeout, for batching
 * windows and throttled runs. An ordered queue takes two: a run that dies holds up its whole group for that long, there
 * is no window, and a message that is handed out again while its first run still waits meets the writer's fence.
 */
export const visibilitySeconds = (queue: string, timeoutSeconds: number): number =>
  (isFifoQueue(queue) ? 2 : 6) * timeoutSeconds;

/** The queue whose failed messages a function hides for a while: its own, if that is ordered. */
export const postponedQueue = (trigger: { kind: string; queue?: string }): FifoQueueName | undefined =>
  trigger.kind === 'queue' && trigger.queue !== undefined && isFifoQueue(trigger.queue) ? trigger.queue : undefined;

/** The queues whose address a function needs. */
export function listRequiredQueues<Name extends string>(spec: {
  sends: readonly Name[];
  trigger: { kind: string; queue?: string };
}): (Name | FifoQueueName)[] {
  const ownQueue = postponedQueue(spec.trigger);
  return [...new Set([...spec.sends, ...(ownQueue === undefined ? [] : [ownQueue])])];
}

/**
 * An account has room for 1000 runs of everything at once, unless AWS gave it more. `maxConcurrency` of the queues' workers adds up to at most 700, so
 * that the API, the stream and the schedules always find 300: pushes take up to 200 of those (2,000 a second, a tenth of a second each). No concurrency is reserved: that would
 * cost nothing either, but a deployment into an account with less room would fail.
 */
export const accountConcurrency = { all: 1_000, ofQueues: 700 } as const;
