// Oura as the sandbox plays it: collections with tokens from page to page, documents by id, subscriptions, signed notes.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import { nameUuid } from './name-uuid.ts';
import { ouraItems } from './oura-items.ts';
import { type DataRequest, type ItemsOf, type VendorShapes, vendorJson } from './shapes.ts';

const collections = ['sleep', 'daily_activity', 'daily_spo2', 'vO2_max', 'workout', 'session', 'heartrate'];
const documentsAPage = 15;
const readingsAPage = 2_500;
const dayMs = 86_400_000;

const Stamped = z.looseObject({
  id: z.string().optional(),
  day: z.string().optional(),
  timestamp: z.string().optional(),
  bedtime_start: z.string().optional(),
  start_datetime: z.string().optional(),
});

/** By what a bound is compared with. */
function stampMs(item: unknown): number {
  const { timestamp, bedtime_start, start_datetime, day } = Stamped.parse(item);
  return Date.parse(bedtime_start ?? start_datetime ?? timestamp ?? `${day}T00:00:00+00:00`);
}

export const ouraShapes: VendorShapes = {
  tokens: ({ accessToken, refreshToken, expiresInSeconds }) =>
    vendorJson({
      token_type: 'bearer',
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: expiresInSeconds,
    }),
  deadToken: () =>
    vendorJson(
      {
        status: 400,
        title: 'Bad Request',
        error: 'invalid_request',
        error_description: 'The refresh token is not valid.',
      },
      400,
    ),
  badToken: () => vendorJson({ status: 401, title: 'Unauthorized', detail: 'The access token is not valid.' }, 401),
  items: ouraItems,

  answer(request, items) {
    const [, version, room, name = '', id] = request.path.split('/');
    if (version !== 'v2') return undefined;
    if (room === 'webhook' && name === 'subscription') return subscriptionReply(request);
    if (room !== 'usercollection') return undefined;
    if (name === 'personal_info') return vendorJson({ id: request.account, age: null, weight: null, height: null });
    if (!collections.includes(name)) return undefined;
    if (id === undefined) return listReply(name, request, items);
    const found = items(name).find((item) => Stamped.parse(item).id === id);
    return found ? vendorJson(found) : vendorJson({ detail: 'Document not found.' }, 404);
  },

  pushes(account, days, { credentials }, nowMs) {
    const told = days.flatMap((day) => [
      ...day.sleeps.map((sleep) => ({ data_type: 'sleep', object_id: nameUuid(sleep.id) })),
      ...day.workouts.map((workout) => ({ data_type: 'workout', object_id: nameUuid(workout.id) })),
      ...(day.steps === null
        ? []
        : [{ data_type: 'daily_activity', object_id: nameUuid(`${account} activity ${day.date}`) }]),
    ]);
    return told.map((each) => {
      const event = { event_type: 'update', ...each, event_time: new Date(nowMs).toISOString(), user_id: account };
      const body = JSON.stringify(event);
      const stamp = String(Math.floor(nowMs / 1000));
      const signature = createHmac('sha256', credentials.clientSecret)
        .update(stamp + body)
        .digest('hex');
      return {
        headers: {
          'content-type': 'application/json',
          'x-oura-timestamp': stamp,
          'x-oura-signature': signature.toUpperCase(),
        },
        body,
        secretPath: false,
      };
    });
  },
};

function listReply(name: string, { query, nowMs }: DataRequest, items: ItemsOf) {
  const isByTime = name === 'heartrate';
  const [from, to] = isByTime ? ['start_datetime', 'end_datetime'] : ['start_date', 'end_date'];
  const endMs = boundMs(query[to], nowMs);
  const startMs = boundMs(query[from], endMs - dayMs);
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return vendorJson({ data: [], next_token: null });
  if (isByTime && endMs - startMs > 30 * dayMs)
    return vendorJson({ detail: 'The period must not be longer than 30 days.' }, 400);
  const dates = { from: addDays(utcDay(startMs), -1), to: addDays(utcDay(endMs), 2) };
  const matching = items(name, dates).filter((item) => stampMs(item) >= startMs && stampMs(item) <= endMs);
  const at = Number(Buffer.from(query['next_token'] ?? 'MA==', 'base64').toString());
  const size = isByTime ? readingsAPage : documentsAPage;
  const hasMore = at + size < matching.length;
  return vendorJson({
    data: matching.slice(at, at + size),
    next_token: hasMore ? Buffer.from(String(at + size)).toString('base64') : null,
  });
}

/** A bare date is its midnight. */
const boundMs = (text: string | undefined, otherwise: number): number =>
  text === undefined ? otherwise : Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);

const Wanted = z.looseObject({ callback_url: z.string(), event_type: z.string(), data_type: z.string() });

function subscriptionReply({ method, path, json, nowMs }: DataRequest) {
  if (method === 'GET') return vendorJson([]);
  if (method === 'DELETE') return { status: 204, headers: {}, text: '' };
  const expiration_time = new Date(nowMs + 90 * dayMs).toISOString();
  if (path.includes('/renew/')) return vendorJson({ id: path.split('/').at(-1), expiration_time });
  const wanted = Wanted.safeParse(json).data;
  if (!wanted) return vendorJson({ detail: [{ type: 'missing', loc: ['body'], msg: 'Field required' }] }, 422);
  const { callback_url, event_type, data_type } = wanted;
  const id = nameUuid(`${callback_url} ${event_type} ${data_type}`);
  return vendorJson({ id, callback_url, event_type, data_type, expiration_time }, 201);
}
