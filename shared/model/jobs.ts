// Every queue and what its messages say. A message only wakes a worker: what is owed stands in the table.
import * as z from 'zod';
import { Environment } from './account.ts';
import { AccountId, DeliveryId, DeviceId, EventId, InvitationId, PieceId, UserId, WebhookId } from './ids.ts';
import { cloudProviderIds } from './provider.ts';

export const jobs = {
  /** What a deleted webhook has left behind. */
  erase: z.object({ webhook_id: WebhookId }),
  /** Commands of this person wait; with a token, the long one that it continues. */
  person: z.object({ user_id: UserId, token: z.string().optional() }),
  /** These events have waited too long: something stopped between their change and the webhooks. */
  publish: z.object({ event_ids: z.array(EventId).min(1).max(25) }),
  /** This delivery may be due. */
  deliver: z.object({ webhook_id: WebhookId, delivery_id: DeliveryId }),
  /** This sandbox user is due for its next data. */
  seed: z.object({ user_id: UserId }),
  /** A vendor is to be told that this device is disconnected, asked about it, or asked to go on telling us of its people; or this is what it told of many. */
  sync: z.union([
    z.object({ user_id: UserId, device_id: DeviceId, revoke: z.literal(true) }),
    z.object({ user_id: UserId, device_id: DeviceId }),
    z.object({ provider: z.enum(cloudProviderIds), env: Environment }),
    z.object({ piece_id: PieceId }),
  ]),
  /** The message of this invitation may be due. */
  mail: z.object({ account_id: AccountId, env: Environment, invitation_id: InvitationId }),
} as const;

export type QueueName = keyof typeof jobs;
export type Job<Name extends QueueName> = z.infer<(typeof jobs)[Name]>;
