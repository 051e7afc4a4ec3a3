// Reads Polar's pushes, which announce new data of a user for a date, or a workout. They never
// contain the data.
import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod';
import { isCalendarDate } from '../../platform/time/local-day.ts';
import { withAdjacentDays } from '../kit/day-windows.ts';
import type { PushAdapter, PushContent, PushNotification, PushRequest } from '../kit/push.ts';
import { parseResponseJson } from '../kit/request-flow.ts';
import { secretsEqual } from '../kit/secrets-equal.ts';
import { PolarExerciseId } from './items.ts';

const Event = z.looseObject({
  event: z.string(),
  user_id: z
    .union([z.string().min(1), z.int()])
    .transform(String)
    .optional(),
  entity_id: z.unknown().optional(),
  date: z.string().refine(isCalendarDate).nullish().catch(undefined),
  timestamp: z.string().nullish(),
});
type Event = z.infer<typeof Event>;

const parseEvent = ({ body }: PushRequest): Event | undefined =>
  Event.safeParse(parseResponseJson({ text: Buffer.from(body).toString() })).data;

/** A ping has two fields. A longer body is not a ping, and is not parsed to find out. */
const maxPingBytes = 1_000;

const isPing = (request: PushRequest): boolean =>
  request.method === 'POST' && request.body.byteLength <= maxPingBytes && parseEvent(request)?.event === 'PING';

/**
 * The date of the event, or the date it was sent if it has none, is read again, because the
 * recharge of a night has no event of its own.
 */
function toNotifications({ event, user_id: account, entity_id, date, timestamp }: Event): PushNotification[] {
  if (account === undefined) return [];
  if (event === 'EXERCISE') {
    const id = PolarExerciseId.safeParse(entity_id).data;
    return id === undefined ? [] : [{ account, what: 'object', resource: 'exercise', id }];
  }
  if (event.startsWith('SLEEP_WISE')) return [];
  const sentDay = timestamp?.slice(0, 10) ?? '';
  const day = date ?? (isCalendarDate(sentDay) ? sentDay : undefined);
  return day === undefined ? [] : [{ account, what: 'days', ...withAdjacentDays(day) }];
}

function read(request: PushRequest): PushContent | undefined {
  const event = parseEvent(request);
  return (
    event && {
      notifications: toNotifications(event),
      messageId: createHash('sha256').update(request.body).digest('base64url'),
    }
  );
}

export const polarPush: PushAdapter = {
  /**
   * Polar sends a ping before it discloses the signing key. The ping contains nothing, so it is
   * answered without verification.
   */
  answerProbe: (request) => (isPing(request) ? { status: 200 } : undefined),
  isGenuine({ method, headers, body }, { subscriptionSecret }) {
    if (method !== 'POST' || !subscriptionSecret) return false;
    const expected = createHmac('sha256', subscriptionSecret).update(body).digest('hex');
    return secretsEqual(headers['polar-webhook-signature']?.toLowerCase(), expected);
  },
  read,
  acceptedResponse: { status: 200 },
};
