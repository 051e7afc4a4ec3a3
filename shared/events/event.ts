// The event types, and an event's fields as stored. Events contain no health values, only where to
// read them.
import * as z from 'zod';
import { CalendarDate, Timestamp } from '../platform/time/time.ts';
import type { Environment } from '../system/caller.ts';
import { DeliveryId, KeyId, MemberId, WebhookId } from '../system/ids.ts';

export const EventType = z
  .enum([
    'data.updated',
    'score.updated',
    'device.connected',
    'device.disconnected',
    'subject.synced',
    'user.created',
    'user.deleted',
    'webhook.exhausted',
    'webhook.disabled',
    'key.expiring',
    'member.joined',
    'member.archived',
    'member.reactivated',
    'member.removed',
  ])
  .meta({ id: 'EventType', description: 'What happened.', examples: ['data.updated'] });
export type EventType = z.infer<typeof EventType>;

/** Events about a user's data. There are none while the user does not share data. */
export type DataEventType = Extract<EventType, 'data.updated' | 'score.updated' | 'subject.synced'>;

/**
 * An event type as stored and relayed. After a rollback, a release meets event types of the newer
 * one and passes them on unchanged.
 */
export const StoredEventType = z.custom<EventType>((type) => typeof type === 'string' && type !== '');

/** The fields that depend on the event type. */
export const EventDetails = z.object({
  from_date: CalendarDate.nullable()
    .optional()
    .meta({ description: 'The first day that changed (`data.updated`, `score.updated`, `subject.synced`).' }),
  to_date: CalendarDate.nullable().optional().meta({ description: 'The last day that changed.' }),
  sleep: z
    .boolean()
    .optional()
    .meta({ description: 'Whether sleep sessions changed (`data.updated`).', examples: [true] }),
  workouts: z
    .boolean()
    .optional()
    .meta({ description: 'Whether workouts changed (`data.updated`).', examples: [false] }),
  scores: z
    .array(z.string().meta({ examples: ['sleep_score'] }))
    .optional()
    .meta({ description: 'Which scores changed (`score.updated`).' }),
  erased: z
    .record(z.string(), z.int())
    .optional()
    .meta({ description: 'How much was erased, per kind of data (`user.deleted`).', examples: [{ devices: 2 }] }),
  webhook_id: WebhookId.optional().meta({
    description: 'The endpoint that the event is about (`webhook.exhausted`, `webhook.disabled`).',
  }),
  delivery_id: DeliveryId.optional().meta({
    description: 'The delivery that has failed for good (`webhook.exhausted`).',
  }),
  member_id: MemberId.optional().meta({
    description: 'The team member (`member.joined`, `member.archived`, `member.reactivated`, `member.removed`).',
  }),
  key_id: KeyId.optional().meta({ description: 'The API key that will expire (`key.expiring`).' }),
  expires_at: Timestamp.optional().meta({ description: 'When the API key expires (`key.expiring`).' }),
});
export type EventDetails = z.infer<typeof EventDetails>;

export interface NewEvent {
  id: string;
  type: EventType;
  account: string;
  env: Environment;
  atMs: number;
  userId?: string;
  deviceId?: string;
  metrics?: string[];
  more?: EventDetails;
}

export const eventSource = 'daybook';
/** The bus message for a page of a feed to which some endpoint may subscribe. */
export const feedPageType = 'feed.page';
