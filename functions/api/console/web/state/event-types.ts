// The types of events, as a list. The compiler compares it with the API's.
import type { Schemas } from '../api/client.ts';

export type FeedEventType = Schemas['EventType'];

const everyType: Readonly<Record<FeedEventType, true>> = {
  'data.updated': true,
  'score.updated': true,
  'device.connected': true,
  'device.disconnected': true,
  'subject.synced': true,
  'user.created': true,
  'user.deleted': true,
  'webhook.exhausted': true,
  'webhook.disabled': true,
  'key.expiring': true,
  'member.joined': true,
  'member.archived': true,
  'member.reactivated': true,
  'member.removed': true,
};

/** Safe, because the table has every type and nothing else. */
export const eventTypes = Object.keys(everyType) as FeedEventType[];
