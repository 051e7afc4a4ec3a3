// Reads WHOOP's pushes, which only announce that a sleep, a recovery or a workout was created,
// changed or deleted; the record is then fetched.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { PushAdapter, PushNotification } from '../kit/push.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import { secretsEqual } from '../kit/secrets-equal.ts';

const maxAgeMs = 5 * 60_000;

const Notification = z.looseObject({
  user_id: z.union([z.number(), z.string().min(1)]),
  // The id becomes part of a path.
  id: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  type: z.string(),
  trace_id: z.string().nullish(),
});

export const whoopPush: PushAdapter = {
  isGenuine({ headers, body, receivedMs }, { credentials }) {
    const timestamp = headers['x-whoop-signature-timestamp'] ?? '';
    if (!/^\d{1,15}$/.test(timestamp) || Math.abs(receivedMs - Number(timestamp)) > maxAgeMs) return false;
    const expected = createHmac('sha256', credentials.clientSecret).update(timestamp).update(body).digest('base64');
    return secretsEqual(headers['x-whoop-signature'], expected);
  },

  read({ body }) {
    const notification = Notification.safeParse(parseResponseJson({ text: Buffer.from(body).toString() })).data;
    if (!notification) return undefined;
    const pushNotification = toNotification(notification);
    return {
      notifications: pushNotification ? [pushNotification] : [],
      ...(notification.trace_id ? { messageId: notification.trace_id } : {}),
    };
  },

  acceptedResponse: { status: 200 },
};

function toNotification({ user_id, id, type }: z.infer<typeof Notification>): PushNotification | undefined {
  const account = String(user_id);
  switch (type) {
    case 'sleep.updated':
      return { account, what: 'object', resource: 'sleep', id };
    case 'recovery.updated':
      return { account, what: 'object', resource: 'recovery', id };
    case 'workout.updated':
      return { account, what: 'object', resource: 'workout', id };
    case 'sleep.deleted':
    // The id is that of the sleep that the recovery belongs to.
    case 'recovery.deleted':
      return { account, what: 'deleted', kind: 'sleep', id };
    case 'workout.deleted':
      return { account, what: 'deleted', kind: 'workouts', id };
    default:
      return undefined;
  }
}
