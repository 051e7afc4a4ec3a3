// Every queue and the schema of its messages. A message only wakes a worker: the pending work is
// stored in the table.
import * as z from 'zod';
import { cloudProviderIds } from '../catalog/provider.ts';
import { Environment } from './caller.ts';
import {
  AccountId,
  DeliveryId,
  DeviceId,
  InvitationId,
  PushChunkId,
  SignInRequestId,
  UserId,
  WebhookId,
} from './ids.ts';

/** A page of a feed, identified by its first number. */
export const FeedPageJob = z.object({ account_id: AccountId, env: Environment, first: z.int().min(1) });
export type FeedPageJob = z.infer<typeof FeedPageJob>;

export const jobs = {
  /**
   * The user has pending commands. With a token, it continues a long command. `wake` is the user's
   * wake number when the message was sent (`users/wake-number.ts`).
   */
  user: z.object({ user_id: UserId, token: z.string().optional(), wake: z.int().optional() }),
  /**
   * Outbox rows of one environment that need numbers. A message contains keys and no events, so it
   * stays small. One with a `turn` continues with the parked rows of a held feed (`events/parked-rows.ts`).
   */
  feed: z.object({
    account_id: AccountId,
    env: Environment,
    rows: z.array(z.object({ pk: z.string(), sk: z.string() })).max(99),
    turn: z.number().optional(),
  }),
  /**
   * One of: an endpoint has not been sent these events of a page, a delivery of an endpoint may be
   * due, an endpoint is behind the feed, or endpoints may subscribe to events of a page.
   */
  deliver: z.union([
    z.object({
      webhook_id: WebhookId,
      account_id: AccountId,
      env: Environment,
      first: z.int().min(1),
      numbers: z.array(z.int().min(1)).min(1).max(10),
      /** No other endpoint needs deliveries of the page. */
      is_all: z.boolean(),
    }),
    z.object({ webhook_id: WebhookId, delivery_id: DeliveryId }),
    z.object({
      webhook_id: WebhookId,
      account_id: AccountId,
      env: Environment,
      catch_up: z.literal(true),
      /** When the message was due, to see how long it waited. */
      due_ms: z.int().optional(),
    }),
    FeedPageJob,
  ]),
  /** The sandbox user is due for its next data. */
  seed: z.object({ user_id: UserId }),
  /**
   * One of: a connection has work due or its consent must be revoked, a provider's subscription has
   * work due, or a push about many users has a chunk to process.
   */
  connection: z.union([
    z.object({ user_id: UserId, device_id: DeviceId, revoke: z.literal(true) }),
    z.object({ user_id: UserId, device_id: DeviceId }),
    z.object({ provider: z.enum(cloudProviderIds), env: Environment }),
    z.object({ chunk_id: PushChunkId }),
  ]),
  /** One of: the invitation's message may be due, or a requested sign-in link may be due. */
  mail: z.union([
    z.object({ account_id: AccountId, env: Environment, invitation_id: InvitationId }),
    z.object({ sign_in_request_id: SignInRequestId }),
  ]),
} as const;

export type QueueName = keyof typeof jobs;
export type Job<Name extends QueueName> = z.infer<(typeof jobs)[Name]>;

/**
 * The ordered queues (SQS FIFO). Messages of one group are processed one at a time, so each group
 * has a single writer.
 */
export const fifoGroupIds = {
  user: ({ user_id }: Job<'user'>): string => user_id,
  feed: ({ account_id, env }: Job<'feed'>): string => `${account_id}#${env}`,
  /**
   * A connection and the revocation of its consent share a group; work for a whole provider has
   * groups of its own.
   */
  connection(job: Job<'connection'>): string {
    if ('chunk_id' in job) return job.chunk_id;
    return 'provider' in job ? `${job.provider}#${job.env}` : `${job.user_id}#${job.device_id}`;
  },
} as const;
export type FifoQueueName = keyof typeof fifoGroupIds;

export const isFifoQueue = (queue: string): queue is FifoQueueName => Object.hasOwn(fifoGroupIds, queue);

/**
 * Message groups of standard queues, so that one group's messages do not crowd out the others (SQS
 * fair queues). They guarantee no order.
 */
const fairQueueGroupIds: { [Name in Exclude<QueueName, FifoQueueName>]?: (job: Job<Name>) => string } = {
  deliver: (job) => ('webhook_id' in job ? job.webhook_id : `${job.account_id}#${job.env}`),
  mail: (job) => ('account_id' in job ? job.account_id : 'sign-in'),
};

const groupIdFunctions: Record<string, ((job: never) => string) | undefined> = {
  ...fairQueueGroupIds,
  ...fifoGroupIds,
};

/**
 * The `MessageGroupId` of a message, if it has one. The cast is safe because each function is
 * stored under its queue's name.
 */
export const getMessageGroupId = (queue: string, body: unknown): string | undefined =>
  groupIdFunctions[queue]?.(body as never);
