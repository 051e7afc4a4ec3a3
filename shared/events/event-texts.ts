// When each event is sent, for the OpenAPI documents and the page on webhooks.
import type { EventType } from './event.ts';

export const eventTexts: Readonly<Record<EventType | 'webhook.test', string>> = {
  'data.updated':
    "A user's data changed: `metrics`, `from_date` and `to_date` say what to read, and `sleep` and `workouts` whether sessions changed.",
  'score.updated': "A user's scores changed: `scores` names them.",
  'device.connected': 'A user linked a device.',
  'device.disconnected':
    'A device was deleted with its data, or its consent ended. In the last case its data stays until you delete the device. A device that is replaced is not disconnected: `device.connected` names the new one.',
  'subject.synced': 'A change of consolidation settings, time zone or day rule changed data that you can read.',
  'user.created': 'A user was created.',
  'user.deleted': 'A user and all their data have been erased; `erased` is the receipt.',
  'webhook.exhausted': 'The last attempt of a delivery to `webhook_id` failed.',
  'webhook.disabled': 'The endpoint `webhook_id` was disabled: it returned 410, or failed for five days.',
  'key.expiring':
    'The API key `key_id` of the environment stops working at `expires_at`. The event is sent 14 days, 3 days and 1 day before. Create a new key in time.',
  'member.joined':
    'An invitation was accepted: the member `member_id` is linked to the user `user_id`. A user that was `unshared` can be read again. Read its data again, because no events reported changes in the meantime.',
  'member.archived': 'The member `member_id` was archived. Its user and data remain.',
  'member.reactivated': 'The member `member_id` is active again.',
  'member.removed':
    'The member `member_id` was removed from the team, or its user was deleted. A user that was not deleted is `unshared` from then on: its data cannot be read, and no events report changes to it.',
  'webhook.test': 'You sent a test to the endpoint `webhook_id` (`POST …/test`). The feed does not contain it.',
};
