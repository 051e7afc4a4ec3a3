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
  .meta({ id: 'EventType', description: 'What happened. New types may be added.', examples: ['data.updated'] });
export type EventType = z.infer<typeof EventType>;

/** Events about a user's data. There are none while the user does not share data. */
export type DataEventType = Extract<EventType, 'data.updated' | 'score.updated' | 'subject.synced'>;

/**
 * An event type as stored and relayed. After a rollback, a release meets event types of the newer
 * one and passes them on unchanged.
 */
export const StoredEventType = z.custom<EventType>((type) => typeof type === 'string' && type !== '');

/** The stored fields that depend on the event type; `feed-event.ts` says which type has which. */
export const EventDetails = z.object({
  from_date: CalendarDate.nullable().optional(),
  to_date: CalendarDate.nullable().optional(),
  sleep: z.boolean().optional(),
  workouts: z.boolean().optional(),
  scores: z.array(z.string()).optional(),
  erased: z.record(z.string(), z.int()).optional(),
  webhook_id: WebhookId.optional(),
  delivery_id: DeliveryId.optional(),
  member_id: MemberId.optional(),
  key_id: KeyId.optional(),
  expires_at: Timestamp.optional(),
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
