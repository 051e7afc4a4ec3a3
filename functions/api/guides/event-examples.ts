// What the webhooks page says about each event type: when it is sent, and an example of its body.
import { eventTexts } from '../../../shared/events/event-texts.ts';
import type { WebhookEvent } from '../../../shared/events/feed-event.ts';

export interface EventExample {
  when: string;
  body: Record<string, unknown>;
}

type SentType = WebhookEvent['event_type'];
type OwnFields<Event extends WebhookEvent> = Omit<Event, 'event_id' | 'event_type' | 'timestamp'>;
type EventFields = {
  [Type in SentType]: OwnFields<Extract<WebhookEvent, { event_type: Type }>>;
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
  'data.updated': { ...aboutDevice, metrics: ['resting_heart_rate', 'steps'], ...range, sleep: true, workouts: false },
  'score.updated': { ...aboutUser, ...range, scores: ['recovery_score', 'sleep_score'] },
  'device.connected': aboutDevice,
  'device.disconnected': aboutDevice,
  'subject.synced': { ...aboutUser, metrics: ['steps'], ...range },
  'user.created': aboutUser,
  'user.deleted': { ...aboutUser, erased: { devices: 2, days: 31 } },
  'webhook.exhausted': { ...aboutAccount, webhook_id, delivery_id: 'dlv_01k9p3w8x9n4q6s8v0x2z4b6d8' },
  'webhook.disabled': { ...aboutAccount, webhook_id },
  'key.expiring': { ...aboutAccount, key_id: 'key_01k9p3wa2b4d6f8h0k2n4q6s8v', expires_at: '2026-03-28T07:26:53.589Z' },
  'member.joined': { ...aboutUser, member_id },
  'member.archived': { ...aboutUser, member_id },
  'member.reactivated': { ...aboutUser, member_id },
  'member.removed': { ...aboutUser, member_id },
  'webhook.test': { ...aboutAccount, webhook_id },
};

export function getEventExample(type: SentType): EventExample {
  const identity = { event_id: 'evt_01k9p3w8x9z1b3d5f7h9k1n3q5', event_type: type };
  const { metrics, user_id: user, device_id: device, ...more } = eventFields[type];
  const timestamp = '2026-03-14T07:26:53.589Z';
  return {
    when: eventTexts[type],
    body: { ...identity, metrics, user_id: user, device_id: device, timestamp, ...more },
  };
}
