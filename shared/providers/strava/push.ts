// What Strava sends by itself: which activity of whom has changed, and that a person has ended the consent. Never the data.
import { createHash, createHmac } from 'node:crypto';
import * as z from 'zod';
import type { PushContent, PushKeys, PushNote, PushRequest, PushRules } from '../kit/push.ts';
import { sameSecret } from '../kit/same-secret.ts';
import { exactJson, StravaId } from './exact-json.ts';

const mostAgeSeconds = 600;

const Event = z.looseObject({
  object_type: z.string(),
  object_id: StravaId,
  aspect_type: z.string(),
  owner_id: StravaId,
  subscription_id: StravaId.nullish(),
  updates: z.looseObject({ authorized: z.union([z.string(), z.boolean()]).nullish() }).nullish(),
});
type Event = z.infer<typeof Event>;

const eventIn = ({ body }: PushRequest): Event | undefined =>
  Event.safeParse(exactJson(Buffer.from(body).toString())).data;

/** Which key it is, is disputed: only what a deployment was given is checked, and never alone. */
function isSigned({ headers, body, receivedMs }: PushRequest, key: string): boolean {
  const fields = new Map(
    (headers['x-strava-signature'] ?? '').split(',').map((each): [string, string] => {
      const [name = '', value = ''] = each.trim().split('=');
      return [name, value];
    }),
  );
  const at = fields.get('t') ?? '';
  if (!/^\d{1,12}$/.test(at) || Math.abs(receivedMs / 1000 - Number(at)) > mostAgeSeconds) return false;
  return sameSecret(fields.get('v1'), createHmac('sha256', key).update(`${at}.`).update(body).digest('hex'));
}

function isGenuine(request: PushRequest, keys: PushKeys): boolean {
  if (request.method !== 'POST' || !sameSecret(request.pathSecret, keys.pathSecret)) return false;
  const key = keys.credentials.more['signing_secret'];
  if (key && !isSigned(request, key)) return false;
  // Kept as the secret of the subscription is its number, which every event names.
  const subscription = StravaId.safeParse(keys.subscriptionSecret).data;
  return subscription === undefined || sameSecret(eventIn(request)?.subscription_id ?? '', subscription);
}

function notesOf(event: Event): PushNote[] {
  const account = event.owner_id;
  if (event.object_type === 'activity') {
    const id = event.object_id;
    return event.aspect_type === 'delete'
      ? [{ account, what: 'deleted', kind: 'workouts', id }]
      : [{ account, what: 'object', resource: 'activity', id }];
  }
  const ended = event.aspect_type === 'delete' || String(event.updates?.authorized) === 'false';
  return event.object_type === 'athlete' && ended ? [{ account, what: 'ended' }] : [];
}

function read(request: PushRequest): PushContent | undefined {
  const event = eventIn(request);
  return event && { notes: notesOf(event), name: createHash('sha256').update(request.body).digest('base64url') };
}

export const stravaPush: PushRules = {
  handshake({ method, query, pathSecret }, keys) {
    const challenge = query['hub.challenge'];
    const isOurs =
      sameSecret(pathSecret, keys.pathSecret) && sameSecret(query['hub.verify_token'], keys.verificationToken);
    return method === 'GET' && query['hub.mode'] === 'subscribe' && challenge && isOurs
      ? { status: 200, json: { 'hub.challenge': challenge } }
      : undefined;
  },
  isGenuine,
  read,
  accepted: { status: 200 },
};
