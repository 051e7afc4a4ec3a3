// Every queue and what its messages say. A message only wakes a worker: what is owed stands in the table.
import * as z from 'zod';
import { cloudProviderIds } from '../catalog/provider.ts';
import { Environment } from './caller.ts';
import { AccountId, DeliveryId, DeviceId, InvitationId, PushChunkId, UserId, WebhookId } from './ids.ts';

/** A page of a feed, by its first number. */
export const FeedPageJob = z.object({ account_id: AccountId, env: Environment, first: z.int().min(1) });
export type FeedPageJob = z.infer<typeof FeedPageJob>;

export const jobs = {
  /** Commands of this person wait; with a token, the long one that it continues. */
  user: z.object({ user_id: UserId, token: z.string().optional() }),
  /** These outbox rows of one environment wait to be numbered. A message has keys and no events, so it stays small. */
  feed: z.object({
    account_id: AccountId,
    env: Environment,
    rows: z
      .array(z.object({ pk: z.string(), sk: z.string() }))
      .min(1)
      .max(99),
  }),
  /** An endpoint has not been sent these events of a page, has a delivery that may be due, or is behind the feed; or endpoints may want events of a page. */
  deliver: z.union([
    z.object({
      webhook_id: WebhookId,
      account_id: AccountId,
      env: Environment,
      first: z.int().min(1),
      numbers: z.array(z.int().min(1)).min(1).max(10),
      /** Nobody else is sent anything of the page. */
      is_all: z.boolean(),
    }),
    z.object({ webhook_id: WebhookId, delivery_id: DeliveryId }),
    z.object({ webhook_id: WebhookId, account_id: AccountId, env: Environment, catch_up: z.literal(true) }),
    FeedPageJob,
  ]),
  /** This sandbox user is due for its next data. */
  seed: z.object({ user_id: UserId }),
  /** Something is due of a connection, or its consent is to be given back; of a provider's subscription; or of a push that tells of many people. */
  connection: z.union([
    z.object({ user_id: UserId, device_id: DeviceId, revoke: z.literal(true) }),
    z.object({ user_id: UserId, device_id: DeviceId }),
    z.object({ provider: z.enum(cloudProviderIds), env: Environment }),
    z.object({ piece_id: PushChunkId }),
  ]),
  /** The message of this invitation may be due. */
  mail: z.object({ account_id: AccountId, env: Environment, invitation_id: InvitationId }),
} as const;

export type QueueName = keyof typeof jobs;
export type Job<Name extends QueueName> = z.infer<(typeof jobs)[Name]>;

/** The ordered queues (SQS FIFO). Messages of one group are worked one at a time, so each group has one writer. */
export const fifoGroupIds = {
  user: ({ user_id }: Job<'user'>): string => user_id,
  feed: ({ account_id, env }: Job<'feed'>): string => `${account_id}#${env}`,
  /** A connection, and the revocation of its consent; what concerns a provider as a whole has groups of its own. */
  connection(job: Job<'connection'>): string {
    if ('piece_id' in job) return job.piece_id;
    return 'provider' in job ? `${job.provider}#${job.env}` : `${job.user_id}#${job.device_id}`;
  },
} as const;
export type FifoQueueName = keyof typeof fifoGroupIds;

export const isFifoQueue = (queue: string): queue is FifoQueueName => Object.hasOwn(fifoGroupIds, queue);

/** In a standard queue, whose messages may not crowd out those of others (SQS fair queues). It promises no order. */
const fairQueueGroupIds: { [Name in Exclude<QueueName, FifoQueueName>]?: (job: Job<Name>) => string } = {
  deliver: (job) => ('webhook_id' in job ? job.webhook_id : `${job.account_id}#${job.env}`),
  mail: ({ account_id }) => account_id,
};

const groupIdFunctions: Record<string, ((job: never) => string) | undefined> = {
  ...fairQueueGroupIds,
  ...fifoGroupIds,
};

/** The `MessageGroupId` of a message, if it has one. The cast holds because each function stands under its queue. */
export const getMessageGroupId = (queue: string, body: unknown): string | undefined =>
  groupIdFunctions[queue]?.(body as never);
