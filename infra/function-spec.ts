// The types of the function manifest: functions, triggers and queues.
import { type FifoQueueName, isFifoQueue, type QueueName } from '../shared/system/jobs.ts';
import type { TableIndex } from '../shared/system/table-schema.ts';

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
   * `fallback` also receives every request that matches no other function's routes. `maxPerSecond`
   * is each route's share of the request rate of the whole API, unless the route has its own;
   * requests above it get 429 before the function runs.
   */
  | {
      kind: 'http';
      /**
       * `maxBodyBytes` is set on routes that take a body. The local gateway rejects longer bodies
       * before it reads them.
       */
      routes: readonly { method: string; path: string; maxBodyBytes?: number; maxPerSecond?: number }[];
      fallback?: boolean;
      maxPerSecond?: number;
    }
  /**
   * `localConcurrency` is how many batches a laptop processes concurrently, where Lambda would start
   * as many instances. `maxConcurrency` (2 to 1000) also limits Lambda, in an account with
   * `accountConcurrency`, so that a queue whose work hangs leaves room for the other functions.
   */
  | {
      kind: 'queue';
      queue: QueueName;
      batchSize: number;
      localConcurrency?: number;
      maxConcurrency?: number;
      /** The detail types of bus events whose details a rule puts into the queue. */
      busTypes?: readonly string[];
    }
  /**
   * Items of the table's stream that have this string attribute after an insert or an update. The
   * event source mapping collects them for up to `windowSeconds`; a laptop delivers them immediately.
   */
  | { kind: 'stream'; attribute: string; batchSize: number; windowSeconds?: number }
  | { kind: 'schedule'; everyMinutes: number };

/** Webhook endpoints, and the hosts of providers. */
export type OutboundTarget = 'webhooks' | 'providers';

/**
 * The deployment's provider credentials, and the users' tokens, which are encrypted with the token
 * key. `new_tokens` can only encrypt new tokens, not decrypt any.
 */
export type ProviderSecret = 'credentials' | 'tokens' | 'new_tokens';

/** Whether the function uses the token key at all. */
export const sealsTokens = ({
  providerSecrets = [],
}: {
  providerSecrets?: readonly ProviderSecret[] | undefined;
}): boolean => providerSecrets.includes('tokens') || providerSecrets.includes('new_tokens');

/** Functions that respond at the public URL, or that pass it to providers or users. */
export const needsBaseUrl = ({ trigger, calls, mails }: AddressingSpec): boolean =>
  trigger.kind === 'http' || calls?.includes('providers') === true || mails === true;

/** Functions that send mail, or that return links instead when no sender is configured. */
export const needsMailSender = ({ trigger, mails }: AddressingSpec): boolean =>
  trigger.kind === 'http' || mails === true;

interface AddressingSpec extends Pick<FunctionSpec, 'calls' | 'mails'> {
  trigger: { kind: Trigger['kind'] };
}

export interface FunctionSpec {
  entry: string;
  trigger: Trigger;
  /** What the function does with the table itself, without its indexes. */
  table: readonly TableAction[];
  /** The indexes of the table that the function queries. None by default. */
  indexes?: readonly TableIndex[];
  sends: readonly QueueName[];
  publishes: boolean;
  /** Whether it needs the deployment's root secret (API keys, tokens, cursors, encryption). */
  secret: boolean;
  /** What the function calls outside the deployment. Nothing by default. */
  calls?: readonly OutboundTarget[];
  /** Which provider secrets the function can use. None by default. */
  providerSecrets?: readonly ProviderSecret[];
  /** Whether it sends mail, if a sender is configured. */
  mails?: true;
  /** Whether it issues feed cursors, which are valid for one table. */
  readsFeed?: true;
  /**
   * Whether it writes JSON Schema for the OpenAPI document. The bundles of all other functions omit
   * the schema writer.
   */
  writesSchemas?: true;
  memoryMb: number;
  timeoutSeconds: number;
  whenItFails: string;
}

export interface QueueSpec {
  /** After this many receives, a message moves to the queue's dead-letter queue. */
  maxReceives: number;
}

/**
 * How long a received message stays hidden. AWS recommends six times the function's timeout, to
 * allow for batching windows and throttling. A FIFO queue uses twice the timeout: a run that dies
 * blocks its whole group for that long, there is no batching window, and if a message is delivered
 * again while its first run still waits, the writer's fence lets only one of the two runs commit.
 */
export const visibilitySeconds = (queue: string, timeoutSeconds: number): number =>
  (isFifoQueue(queue) ? 2 : 6) * timeoutSeconds;

/** The queue whose failed messages a function can postpone: its own, if that is FIFO. */
export const postponedQueue = (trigger: { kind: string; queue?: string }): FifoQueueName | undefined =>
  trigger.kind === 'queue' && trigger.queue !== undefined && isFifoQueue(trigger.queue) ? trigger.queue : undefined;

/** The queues whose URL a function needs. */
export function listRequiredQueues<Name extends string>(spec: {
  sends: readonly Name[];
  trigger: { kind: string; queue?: string };
}): (Name | FifoQueueName)[] {
  const ownQueue = postponedQueue(spec.trigger);
  return [...new Set([...spec.sends, ...(ownQueue === undefined ? [] : [ownQueue])])];
}

/**
 * An account allows 1000 concurrent executions in total, unless AWS raised its limit. The
 * `maxConcurrency` of all queue workers adds up to at most 700, so that 300 remain for the API, the
 * stream and the schedules. Pushes use up to 200 of those (2,000 per second at a tenth of a second
 * each). No concurrency is reserved: reserving is free, but a deployment into an account with a
 * lower limit would fail.
 */
export const accountConcurrency = { all: 1_000, ofQueues: 700 } as const;
