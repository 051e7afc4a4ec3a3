// Reads Oura's pushes, which only announce that a document was created, changed or deleted; the
// document is then fetched.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import type { PushAdapter, PushNotification, PushRequest } from '../kit/push.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import { secretsEqual } from '../kit/secrets-equal.ts';
import { readInstant } from '../phone/read-time.ts';
import { ouraDataTypes } from './subscriptions.ts';

/** Oura retries for about an hour; whether a retry has a new timestamp is not documented. */
const maxAgeMs = 2 * 3_600_000;

const Notification = z.looseObject({
  event_type: z.enum(['create', 'update', 'delete']),
  data_type: z.string(),
  // The id becomes part of a path.
  object_id: z.string().regex(/^[\w-]{1,128}$/),
  user_id: z.string().min(1),
  event_time: z.string().nullish(),
});

const sessionKinds: Readonly<Record<string, 'sleep' | 'workouts'>> = { sleep: 'sleep', workout: 'workouts' };

export const ouraPush: PushAdapter = {
  answerHandshake({ method, query }, { verificationToken }) {
    const { challenge, verification_token } = query;
    if (method === 'POST' || challenge === undefined) return undefined;
    return secretsEqual(verification_token, verificationToken)
      ? { status: 200, json: { challenge } }
      : { status: 401, json: { detail: 'The verification token is invalid.' } };
  },

  isGenuine({ headers, body, receivedMs }, { credentials }) {
    const timestamp = headers['x-oura-timestamp'];
    const signature = headers['x-oura-signature'];
    if (!timestamp || !signature) return false;
    const expected = createHmac('sha256', credentials.clientSecret).update(timestamp).update(body).digest('hex');
    if (!secretsEqual(signature.toLowerCase(), expected)) return false;
    const sentMs = parseTimestamp(timestamp);
    return sentMs === undefined || Math.abs(receivedMs - sentMs) <= maxAgeMs;
  },

  read({ body, receivedMs }: PushRequest) {
    const notification = Notification.safeParse(parseResponseJson({ text: Buffer.from(body).toString() })).data;
    if (!notification) return undefined;
    const { event_type, data_type, object_id, event_time } = notification;
    const isRead = ouraDataTypes.some((each) => each === data_type);
    return {
      notifications: isRead ? [toNotification(notification, receivedMs)] : [],
      ...(event_time ? { messageId: [event_type, data_type, object_id, event_time].join(' ') } : {}),
    };
  },

  acceptedResponse: { status: 200 },
};

function toNotification(notification: z.infer<typeof Notification>, receivedMs: number): PushNotification {
  const { event_type, data_type: resource, object_id: id, user_id: account } = notification;
  if (event_type !== 'delete') return { account, what: 'object', resource, id };
  const kind = sessionKinds[resource];
  if (kind) return { account, what: 'deleted', kind, id };
  // The document can no longer be requested, and no stored data has its id, so the days that users
  // still edit are read again.
  const day = utcDay(receivedMs);
  return { account, what: 'days', from: addDays(day, -3), to: addDays(day, 1) };
}

/**
 * Parses seconds, milliseconds or an ISO 8601 time, because the documentation does not say which is
 * sent. Undefined for anything else.
 */
function parseTimestamp(timestamp: string): number | undefined {
  if (!/^\d+(\.\d+)?$/.test(timestamp)) return readInstant(timestamp)?.ms;
  const number = Number(timestamp);
  return number < 1e11 ? number * 1000 : number;
}
