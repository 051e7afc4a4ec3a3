// Reads Strava's pushes, which announce that an activity of a user has changed, or that a user has
// revoked the consent. They never contain the data.
import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod';
import type { PushAdapter, PushContent, PushKeys, PushNotification, PushRequest } from '../kit/push.ts';
import { secretsEqual } from '../kit/secrets-equal.ts';
import { parseExactJson, StravaId } from './exact-json.ts';

const maxAgeSeconds = 600;

const Event = z.looseObject({
  object_type: z.string(),
  object_id: StravaId,
  aspect_type: z.string(),
  owner_id: StravaId,
  subscription_id: StravaId.nullish(),
  updates: z.looseObject({ authorized: z.union([z.string(), z.boolean()]).nullish() }).nullish(),
});
type Event = z.infer<typeof Event>;

const parseEvent = ({ body }: PushRequest): Event | undefined =>
  Event.safeParse(parseExactJson(Buffer.from(body).toString())).data;

/**
 * Sources disagree on which key signs pushes. A signature is checked only if the deployment has a
 * key, and never as the only check.
 */
function isSigned({ headers, body, receivedMs }: PushRequest, key: string): boolean {
  const fields = new Map(
    (headers['x-strava-signature'] ?? '').split(',').map((each): [string, string] => {
      const [name = '', value = ''] = each.trim().split('=');
      return [name, value];
    }),
  );
  const timestamp = fields.get('t') ?? '';
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(receivedMs / 1000 - Number(timestamp)) > maxAgeSeconds) return false;
  return secretsEqual(fields.get('v1'), createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex'));
}

function isGenuine(request: PushRequest, keys: PushKeys): boolean {
  if (request.method !== 'POST' || !secretsEqual(request.pathSecret, keys.pathSecret)) return false;
  const key = keys.credentials.more['signing_secret'];
  if (key && !isSigned(request, key)) return false;
  // The secret of the subscription is its id, which every event contains.
  const subscription = StravaId.safeParse(keys.subscriptionSecret).data;
  return subscription === undefined || secretsEqual(parseEvent(request)?.subscription_id ?? '', subscription);
}

function toNotifications(event: Event): PushNotification[] {
  const account = event.owner_id;
  if (event.object_type === 'activity') {
    const id = event.object_id;
    return event.aspect_type === 'delete'
      ? [{ account, what: 'deleted', kind: 'workouts', id }]
      : [{ account, what: 'object', resource: 'activity', id }];
  }
  const hasEnded = event.aspect_type === 'delete' || String(event.updates?.authorized) === 'false';
  return event.object_type === 'athlete' && hasEnded ? [{ account, what: 'ended' }] : [];
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

export const stravaPush: PushAdapter = {
  answerHandshake({ method, query, pathSecret }, keys) {
    const challenge = query['hub.challenge'];
    const isOurs =
      secretsEqual(pathSecret, keys.pathSecret) && secretsEqual(query['hub.verify_token'], keys.verificationToken);
    return method === 'GET' && query['hub.mode'] === 'subscribe' && challenge && isOurs
      ? { status: 200, json: { 'hub.challenge': challenge } }
      : undefined;
  },
  isGenuine,
  read,
  acceptedResponse: { status: 200 },
};
