// Simulates Oura: collections with page tokens, documents by id, subscriptions, and signed
// notifications.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { addDays, utcDay } from '../../platform/time/local-day.ts';
import { ouraItems } from './oura-items.ts';
import { type DataRequest, type ItemSource, jsonProviderResponse, type ProviderSimulator } from './simulator.ts';
import { uuidFromName } from './uuid-from-name.ts';

const collections = ['sleep', 'daily_activity', 'daily_spo2', 'vO2_max', 'workout', 'session', 'heartrate'];
const documentsPerPage = 15;
const readingsPerPage = 2_500;
const dayMs = 86_400_000;

const TimestampedItem = z.looseObject({
  id: z.string().optional(),
  day: z.string().optional(),
  timestamp: z.string().optional(),
  bedtime_start: z.string().optional(),
  start_datetime: z.string().optional(),
});

/** The time that is compared with the bounds of a request. */
function readTimestampMs(item: unknown): number {
  const { timestamp, bedtime_start, start_datetime, day } = TimestampedItem.parse(item);
  return Date.parse(bedtime_start ?? start_datetime ?? timestamp ?? `${day}T00:00:00+00:00`);
}

export const ouraSimulator: ProviderSimulator = {
  renderTokens: ({ accessToken, refreshToken, expiresInSeconds }) =>
    jsonProviderResponse({
      token_type: 'bearer',
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: expiresInSeconds,
    }),
  renderInvalidGrant: () =>
    jsonProviderResponse(
      {
        status: 400,
        title: 'Bad Request',
        error: 'invalid_request',
        error_description: 'The refresh token is not valid.',
      },
      400,
    ),
  renderInvalidAccessToken: () =>
    jsonProviderResponse({ status: 401, title: 'Unauthorized', detail: 'The access token is not valid.' }, 401),
  listItems: ouraItems,

  respond(request, items) {
    const [, version, section, name = '', id] = request.path.split('/');
    if (version !== 'v2') return undefined;
    if (section === 'webhook' && name === 'subscription') return respondToSubscription(request);
    if (section !== 'usercollection') return undefined;
    if (name === 'personal_info')
      return jsonProviderResponse({ id: request.account, age: null, weight: null, height: null });
    if (!collections.includes(name)) return undefined;
    if (id === undefined) return respondWithList(name, request, items);
    const found = items(name).find((item) => TimestampedItem.parse(item).id === id);
    return found ? jsonProviderResponse(found) : jsonProviderResponse({ detail: 'Document not found.' }, 404);
  },

  buildPushes(account, days, { credentials }, nowMs) {
    const changes = days.flatMap((day) => [
      ...day.sleeps.map((sleep) => ({ data_type: 'sleep', object_id: uuidFromName(sleep.id) })),
      ...day.workouts.map((workout) => ({ data_type: 'workout', object_id: uuidFromName(workout.id) })),
      ...(day.steps === null
        ? []
        : [{ data_type: 'daily_activity', object_id: uuidFromName(`${account} activity ${day.date}`) }]),
    ]);
    return changes.map((each) => {
      const event = { event_type: 'update', ...each, event_time: new Date(nowMs).toISOString(), user_id: account };
      const body = JSON.stringify(event);
      const timestampSeconds = String(Math.floor(nowMs / 1000));
      const signature = createHmac('sha256', credentials.clientSecret)
        .update(timestampSeconds + body)
        .digest('hex');
      return {
        headers: {
          'content-type': 'application/json',
          'x-oura-timestamp': timestampSeconds,
          'x-oura-signature': signature.toUpperCase(),
        },
        body,
        secretPath: false,
      };
    });
  },
};

function respondWithList(name: string, { query, nowMs }: DataRequest, items: ItemSource) {
  const isByTime = name === 'heartrate';
  const [from, to] = isByTime ? ['start_datetime', 'end_datetime'] : ['start_date', 'end_date'];
  const endMs = parseBoundMs(query[to], nowMs);
  const startMs = parseBoundMs(query[from], endMs - dayMs);
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return jsonProviderResponse({ data: [], next_token: null });
  if (isByTime && endMs - startMs > 30 * dayMs)
    return jsonProviderResponse({ detail: 'The period must not be longer than 30 days.' }, 400);
  const dates = { from: addDays(utcDay(startMs), -1), to: addDays(utcDay(endMs), 2) };
  const matching = items(name, dates).filter(
    (item) => readTimestampMs(item) >= startMs && readTimestampMs(item) <= endMs,
  );
  const at = Number(Buffer.from(query['next_token'] ?? 'MA==', 'base64').toString());
  const size = isByTime ? readingsPerPage : documentsPerPage;
  const hasMore = at + size < matching.length;
  return jsonProviderResponse({
    data: matching.slice(at, at + size),
    next_token: hasMore ? Buffer.from(String(at + size)).toString('base64') : null,
  });
}

/** A bare date means its midnight. */
const parseBoundMs = (text: string | undefined, fallback: number): number =>
  text === undefined ? fallback : Date.parse(text.length === 10 ? `${text}T00:00:00Z` : text);

const SubscriptionBody = z.looseObject({ callback_url: z.string(), event_type: z.string(), data_type: z.string() });

function respondToSubscription({ method, path, json, nowMs }: DataRequest) {
  if (method === 'GET') return jsonProviderResponse([]);
  if (method === 'DELETE') return { status: 204, headers: {}, text: '' };
  const expiration_time = new Date(nowMs + 90 * dayMs).toISOString();
  if (path.includes('/renew/')) return jsonProviderResponse({ id: path.split('/').at(-1), expiration_time });
  const subscription = SubscriptionBody.safeParse(json).data;
  if (!subscription)
    return jsonProviderResponse({ detail: [{ type: 'missing', loc: ['body'], msg: 'Field required' }] }, 422);
  const { callback_url, event_type, data_type } = subscription;
  const id = uuidFromName(`${callback_url} ${event_type} ${data_type}`);
  return jsonProviderResponse({ id, callback_url, event_type, data_type, expiration_time }, 201);
}
