// The event as it appears in the API: the same in the feed and in a webhook's body. Each type has a
// schema of its own, which says what the type carries.
import * as z from 'zod';
import { SampleId } from '../catalog/metrics.ts';
import { ScoreId } from '../catalog/score-ids.ts';
import { CalendarDate, Timestamp } from '../platform/time/time.ts';
import { DeliveryId, DeviceId, EventId, KeyId, MemberId, UserId, WebhookId } from '../system/ids.ts';
import type { EventType } from './event.ts';
import { eventTexts } from './event-texts.ts';

const event_id = EventId.meta({
  description: "The event's id, the same wherever the event appears. Process each id once.",
});
const noMetrics = z
  .array(SampleId)
  .max(0)
  .meta({ description: 'Empty.', examples: [[]] });
const changedMetrics = z.array(SampleId).meta({ description: 'The metrics that changed.' });
// Nullable, because generated clients lose a property whose only value is null.
const noUser = { user_id: UserId.nullable().meta({ description: 'Always null.', examples: [null] }) };
const noDevice = { device_id: DeviceId.nullable().meta({ description: 'Always null.', examples: [null] }) };
const user = { user_id: UserId.meta({ description: 'The user that the event is about.' }) };
const device = { device_id: DeviceId.meta({ description: 'The device that the event is about.' }) };
const member = { member_id: MemberId.meta({ description: 'The team member.' }) };
const webhook = { webhook_id: WebhookId.meta({ description: 'The endpoint that the event is about.' }) };
const days = {
  from_date: CalendarDate.nullable().meta({ description: 'The first day that changed; null if no day changed.' }),
  to_date: CalendarDate.nullable().meta({ description: 'The last day that changed; null if no day changed.' }),
};

/** `data.updated` is `DataUpdatedEvent`. */
const toSchemaName = (type: string): string =>
  `${type}.event`.replace(/(?:^|\.)([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Every event has these fields; a type says which of them are null or empty, and adds its own. */
const describeEvent = <
  const Type extends keyof typeof eventTexts,
  Fields extends { user_id: z.ZodType; device_id: z.ZodType } & z.ZodRawShape,
>(
  type: Type,
  { metrics = noMetrics, ...fields }: Fields & { metrics?: typeof changedMetrics },
) =>
  z
    .object({ event_id, event_type: z.literal(type), metrics, timestamp: Timestamp, ...fields })
    .meta({ id: toSchemaName(type), description: eventTexts[type] });

const eventOptions = [
  describeEvent('data.updated', {
    ...user,
    ...device,
    metrics: changedMetrics,
    ...days,
    sleep: z.boolean().meta({ description: 'Whether sleep sessions changed.', examples: [true] }),
    workouts: z.boolean().meta({ description: 'Whether workouts changed.', examples: [false] }),
  }),
  describeEvent('score.updated', {
    ...user,
    ...noDevice,
    ...days,
    scores: z.array(ScoreId).meta({ description: 'The scores that changed.' }),
  }),
  describeEvent('device.connected', { ...user, ...device }),
  describeEvent('device.disconnected', { ...user, ...device }),
  describeEvent('subject.synced', {
    ...user,
    ...noDevice,
    metrics: changedMetrics,
    ...days,
  }),
  describeEvent('user.created', { ...user, ...noDevice }),
  describeEvent('user.deleted', {
    ...user,
    ...noDevice,
    erased: z
      .record(z.string(), z.int())
      .meta({ description: 'How much was erased, per kind of data.', examples: [{ devices: 2 }] }),
  }),
  describeEvent('webhook.exhausted', {
    ...noUser,
    ...noDevice,
    ...webhook,
    delivery_id: DeliveryId.meta({ description: 'The delivery that has failed for good.' }),
  }),
  describeEvent('webhook.disabled', { ...noUser, ...noDevice, ...webhook }),
  describeEvent('key.expiring', {
    ...noUser,
    ...noDevice,
    key_id: KeyId.meta({ description: 'The API key.' }),
    expires_at: Timestamp.meta({ description: 'When the API key expires.' }),
  }),
  describeEvent('member.joined', { ...user, ...noDevice, ...member }),
  describeEvent('member.archived', { ...user, ...noDevice, ...member }),
  describeEvent('member.reactivated', { ...user, ...noDevice, ...member }),
  describeEvent('member.removed', {
    ...user,
    ...noDevice,
    ...member,
  }),
] as const;

/** The compiler names the event types that have no schema. */
type Undescribed = Exclude<EventType, z.infer<(typeof eventOptions)[number]>['event_type']>;
type EveryType = [Undescribed] extends [never] ? readonly z.ZodType[] : { undescribed: Undescribed };

const exampleEvent = {
  event_id: 'evt_01k9p3w8x9z1b3d5f7h9k1n3q5',
  event_type: 'data.updated',
  metrics: ['resting_heart_rate', 'steps'],
  user_id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7',
  device_id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2',
  timestamp: '2026-03-14T07:26:53.589Z',
  from_date: '2026-03-13',
  to_date: '2026-03-14',
  sleep: true,
  workouts: false,
};

export const FeedEvent = z.discriminatedUnion('event_type', eventOptions satisfies EveryType).meta({
  id: 'Event',
  description:
    'Something that happened. An event contains no health values: read what changed from the endpoint it concerns. ' +
    'The fields depend on the event type. New types and fields may be added: ignore those that you do not know.',
  examples: [exampleEvent],
});
export type FeedEvent = z.infer<typeof FeedEvent>;

const WebhookTestEvent = describeEvent('webhook.test', {
  ...noUser,
  ...noDevice,
  ...webhook,
});

/** The body of a webhook request. */
export const WebhookEvent = z.discriminatedUnion('event_type', [...eventOptions, WebhookTestEvent]).meta({
  id: 'WebhookEvent',
  description: 'An event as Daybook POSTs it to your endpoint: the same as in the feed, or a test.',
  examples: [exampleEvent],
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;
