// What Polar sends by itself: that there is something new of a person and a date, or a workout. Never the data.
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

/** A ping has two fields. Whatever is longer is no ping, and is not parsed to find that out. */
const maxPingBytes = 1_000;

const isPing = (request: PushRequest): boolean =>
  request.method === 'POST' && request.body.byteLength <= maxPingBytes && parseEvent(request)?.event === 'PING';

/** What happened on a date, or failing that when it was told, is read again: the recharge of a night has no event of its own. */
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
  /** Sent before the key that would sign it is told: it says nothing, and is answered unseen. */
  answerProbe: (request) => (isPing(request) ? { status: 200 } : undefined),
  isGenuine({ method, headers, body }, { subscriptionSecret }) {
    if (method !== 'POST' || !subscriptionSecret) return false;
    const expected = createHmac('sha256', subscriptionSecret).update(body).digest('hex');
    return secretsEqual(headers['polar-webhook-signature']?.toLowerCase(), expected);
  },
  read,
  acceptedResponse: { status: 200 },
};
