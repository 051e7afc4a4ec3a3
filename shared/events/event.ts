// What can happen, and how an event is kept until it is told: no health values, only where to look.
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

/** Those that come from a person's data: there are none while the person shares nothing. */
export type DataEventType = Extract<EventType, 'data.updated' | 'score.updated' | 'subject.synced'>;

/** As it is kept and carried: a release that is rolled back to meets types of the next one, and hands them on as they are. */
export const StoredEventType = z.custom<EventType>((type) => typeof type === 'string' && type !== '');

/** What a type tells beyond the fields every event has. */
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
    .meta({ description: 'How much was erased, per kind: the receipt (`user.deleted`).', examples: [{ devices: 2 }] }),
  webhook_id: WebhookId.optional().meta({
    description: 'The endpoint it is about (`webhook.exhausted`, `webhook.disabled`).',
  }),
  delivery_id: DeliveryId.optional().meta({
    description: 'The delivery that was given up (`webhook.exhausted`).',
  }),
  member_id: MemberId.optional().meta({
    description: 'The member of the team (`member.joined`, `member.archived`, `member.reactivated`, `member.removed`).',
  }),
  key_id: KeyId.optional().meta({ description: 'The API key that will expire (`key.expiring`).' }),
  expires_at: Timestamp.optional().meta({ description: 'When it will (`key.expiring`).' }),
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
/** What the bus carries: a page of a feed that some endpoint may want. */
export const feedPageType = 'feed.page';
