// What the webhooks page says about each event type: when it is sent, and an example of its body.
import type { EventType } from '../../../shared/events/event.ts';
import type { FeedEvent } from '../../../shared/events/feed-event.ts';

export interface EventExample {
  when: string;
  body: Record<string, unknown>;
}

type OwnFields<Event extends FeedEvent> = Omit<Event, 'event_id' | 'event_type' | 'timestamp'>;
type EventFields = {
  [Type in EventType]: { when: string; fields: OwnFields<Extract<FeedEvent, { event_type: Type }>> };
};

const user_id = 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7';
const device_id = 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2';
const member_id = 'mem_01k9p3wq4r6t8w0y2a4c6e8g0j';
const webhook_id = 'whk_01k9p3wh8j0m2p4r6t8w0y2a4c';
const range = { from_date: '2026-03-13', to_date: '2026-03-14' };
const aboutUser = { metrics: [], user_id, device_id: null };
const aboutDevice = { ...aboutUser, device_id };
const aboutAccount = { ...aboutUser, user_id: null };

const eventFields: EventFields = {
  'data.updated': {
    when: "A user's data changed: `metrics`, `from_date` and `to_date` say what to read, and `sleep` and `workouts` whether sessions changed.",
    fields: { ...aboutDevice, metrics: ['resting_heart_rate', 'steps'], ...range, sleep: true, workouts: false },
  },
  'score.updated': {
    when: "A user's scores changed: `scores` names them.",
    fields: { ...aboutUser, ...range, scores: ['recovery_score', 'sleep_score'] },
  },
  'device.connected': { when: 'A user linked a device.', fields: aboutDevice },
  'device.disconnected': { when: 'A device was unlinked and its data removed.', fields: aboutDevice },
  'subject.synced': {
    when: 'A rebuild after a change of consolidation settings changed data that you can read.',
    fields: { ...aboutUser, metrics: ['steps'], ...range },
  },
  'user.created': { when: 'A user was created.', fields: aboutUser },
  'user.deleted': {
    when: 'A user and all their data have been erased; `erased` is the receipt.',
    fields: { ...aboutUser, erased: { devices: 2, days: 31 } },
  },
  'webhook.exhausted': {
    when: 'The last attempt of a delivery to `webhook_id` failed.',
    fields: { ...aboutAccount, webhook_id, delivery_id: 'dlv_01k9p3w8x9n4q6s8v0x2z4b6d8' },
  },
  'webhook.disabled': {
    when: 'The endpoint `webhook_id` was disabled: it returned 410, or failed for five days.',
    fields: { ...aboutAccount, webhook_id },
  },
  'key.expiring': {
    when: 'The API key `key_id` of the environment stops working at `expires_at`. The event is sent 14 days, 3 days and 1 day before. Create a new key in time.',
    fields: { ...aboutAccount, key_id: 'key_01k9p3wa2b4d6f8h0k2n4q6s8v', expires_at: '2026-03-28T07:26:53.589Z' },
  },
  'member.joined': {
    when: 'An invitation was accepted: the member `member_id` is linked to the user `user_id`. A user that was `unshared` can be read again. Read its data again, because no events reported changes in the meantime.',
    fields: { ...aboutUser, member_id },
  },
  'member.archived': {
    when: 'The member `member_id` was archived. Its user and data remain.',
    fields: { ...aboutUser, member_id },
  },
  'member.reactivated': { when: 'The member `member_id` is active again.', fields: { ...aboutUser, member_id } },
  'member.removed': {
    when: 'The member `member_id` was removed from the team, or its user was deleted. A user that was not deleted is `unshared` from then on: its data cannot be read, and no events report changes to it.',
    fields: { ...aboutUser, member_id },
  },
};

export function getEventExample(type: EventType): EventExample {
  const { when, fields } = eventFields[type];
  const identity = { event_id: 'evt_01k9p3w8x9z1b3d5f7h9k1n3q5', event_type: type };
  const { metrics, user_id: user, device_id: device, ...more } = fields;
  const timestamp = '2026-03-14T07:26:53.589Z';
  return { when, body: { ...identity, metrics, user_id: user, device_id: device, timestamp, ...more } };
}
