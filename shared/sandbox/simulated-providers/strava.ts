// Simulates Strava: activities in lists and in full, heart rate streams, one push subscription, and
// events about activities.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { PushKeys } from '../../providers/kit/push.ts';
import type { SimulatedDay, SimulatedWorkout } from './simulated-day.ts';
import {
  type DataRequest,
  type ItemSource,
  jsonProviderResponse,
  type OutgoingPush,
  type ProviderSimulator,
} from './simulator.ts';
import { numberFromText } from './uuid-from-name.ts';

const maxPerPage = 200;
const defaultPerPage = 30;
const apiRoot = '/api/v3';

const sports: Readonly<Record<string, string>> = {
  running: 'Run',
  walking: 'Walk',
  cycling: 'Ride',
  swimming: 'Swim',
};

/** Items written by a test may lack any field. */
const Item = z.looseObject({});
const asItem = (item: unknown): z.infer<typeof Item> => Item.safeParse(item).data ?? {};
const hasId =
  (id: string) =>
  (item: unknown): boolean =>
    String(asItem(item)['id']) === id;
const readStartMs = (item: unknown): number => Date.parse(String(asItem(item)['start_date']));

const formatIsoSeconds = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

const toActivityId = ({ id }: SimulatedWorkout): number => 16_000_000_000 + numberFromText(id);

function buildActivity(workout: SimulatedWorkout, zone: string, account: string): object {
  const { startMs, endMs, offsetMinutes, distanceKm, sport, trace } = workout;
  const seconds = Math.round((endMs - startMs) / 1000);
  const sportType = sports[sport] ?? 'Workout';
  const metres = Math.round(distanceKm * 100_000) / 100;
  return {
    id: toActivityId(workout),
    resource_state: 3,
    athlete: { id: toNumberOrText(account), resource_state: 1 },
    name: workout.name,
    type: sportType,
    sport_type: sportType,
    start_date: formatIsoSeconds(startMs),
    start_date_local: formatIsoSeconds(startMs + offsetMinutes * 60_000),
    timezone: `(GMT+00:00) ${zone}`,
    utc_offset: offsetMinutes * 60,
    elapsed_time: seconds,
    moving_time: seconds,
    distance: metres,
    total_elevation_gain: workout.elevationMetres ?? 0,
    average_speed: Math.round((metres / seconds) * 1000) / 1000,
    trainer: false,
    manual: false,
    private: false,
    visibility: 'everyone',
    device_name: 'Sandbox watch',
    external_id: `sandbox_${toActivityId(workout)}`,
    ...(trace.length === 0
      ? { has_heartrate: false }
      : { has_heartrate: true, average_heartrate: workout.avgBpm, max_heartrate: workout.maxBpm }),
    calories: workout.kcal,
  };
}

function buildStreams(workout: SimulatedWorkout): object {
  const { startMs, trace } = workout;
  const stream = (data: readonly number[]) => ({
    data,
    series_type: 'distance',
    original_size: data.length,
    resolution: 'high',
  });
  return {
    id: toActivityId(workout),
    time: stream(trace.map(({ ms }) => Math.round((ms - startMs) / 1000))),
    heartrate: stream(trace.map(({ bpm }) => bpm)),
  };
}

const toNumberOrText = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);

/** Lists omit fields that only details have. */
function toSummary(item: unknown): object {
  const { calories: _calories, laps: _laps, description: _description, ...rest } = asItem(item);
  return { ...rest, resource_state: 2 };
}

function listActivities({ query }: DataRequest, items: ItemSource): readonly object[] {
  const bound = (name: string, fallback: number) => (query[name] === undefined ? fallback : Number(query[name]) * 1000);
  const after = bound('after', Number.NEGATIVE_INFINITY);
  const before = bound('before', Number.POSITIVE_INFINITY);
  const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const dates =
    Number.isFinite(after) && Number.isFinite(before)
      ? { from: toDate(after - 86_400_000), to: toDate(before + 86_400_000) }
      : undefined;
  const found = items('activities', dates).filter((item) => readStartMs(item) > after && readStartMs(item) < before);
  const ordered = found.toSorted((a, b) =>
    query['after'] === undefined ? readStartMs(b) - readStartMs(a) : readStartMs(a) - readStartMs(b),
  );
  const perPage = Math.min(Number(query['per_page'] ?? defaultPerPage), maxPerPage);
  const first = (Number(query['page'] ?? 1) - 1) * perPage;
  return ordered.slice(first, first + perPage).map(toSummary);
}

const notFound = jsonProviderResponse(
  { message: 'Record Not Found', errors: [{ resource: 'Activity', field: 'id', code: 'invalid' }] },
  404,
);

function respondWithItem(resource: string, id: string, items: ItemSource) {
  const found = items(resource).find(hasId(id));
  return found === undefined ? notFound : jsonProviderResponse(found);
}

function respondWithStreams(id: string, items: ItemSource) {
  const found = items('streams').find(hasId(id));
  if (found === undefined) return notFound;
  const { id: _id, ...rest } = asItem(found);
  return jsonProviderResponse(rest);
}

function respond(request: DataRequest, items: ItemSource) {
  const { method, path, account, form } = request;
  if (method === 'GET' && path === `${apiRoot}/athlete`)
    return jsonProviderResponse({ id: toNumberOrText(account), resource_state: 2 });
  if (method === 'GET' && path === `${apiRoot}/athlete/activities`)
    return jsonProviderResponse(listActivities(request, items));
  const [, id, part] = /^\/api\/v3\/activities\/(\d+)(\/streams)?$/.exec(path) ?? [];
  if (method === 'GET' && id) return part ? respondWithStreams(id, items) : respondWithItem('activities', id, items);
  return respondToSubscription(method, path, form, items);
}

/** Only subscriptions written by a test are remembered. */
function respondToSubscription(method: string, path: string, form: DataRequest['form'], items: ItemSource) {
  const [, id] = /^\/api\/v3\/push_subscriptions(?:\/(\d+))?$/.exec(path) ?? [];
  if (id && method === 'DELETE') return { status: 204, headers: {}, text: '' };
  if (path !== `${apiRoot}/push_subscriptions`) return undefined;
  if (method === 'GET') return jsonProviderResponse(items('push_subscriptions'));
  return method === 'POST'
    ? jsonProviderResponse({ id: subscriptionId, callback_url: form['callback_url'] }, 201)
    : undefined;
}

const subscriptionId = 131_300;

function buildPushes(account: string, days: readonly SimulatedDay[], keys: PushKeys, nowMs: number): OutgoingPush[] {
  const seconds = Math.floor(nowMs / 1000);
  return days.flatMap(({ workouts }) =>
    workouts.map((workout) => {
      const body = JSON.stringify({
        object_type: 'activity',
        object_id: toActivityId(workout),
        aspect_type: 'create',
        owner_id: toNumberOrText(account),
        subscription_id: Number(keys.subscriptionSecret) || subscriptionId,
        event_time: Math.floor(workout.endMs / 1000),
        updates: {},
      });
      const key = keys.credentials.more['signing_secret'] ?? keys.credentials.clientSecret;
      const signature = createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex');
      return { headers: { 'x-strava-signature': `t=${seconds},v1=${signature}` }, body, secretPath: true };
    }),
  );
}

const errorResponse = (status: number, message: string, resource: string, field: string) =>
  jsonProviderResponse({ message, errors: [{ resource, field, code: 'invalid' }] }, status);

export const stravaSimulator: ProviderSimulator = {
  renderTokens: ({ accessToken, refreshToken, expiresInSeconds, account, isFirst }) =>
    jsonProviderResponse({
      token_type: 'Bearer',
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: expiresInSeconds,
      ...(isFirst ? { athlete: { id: toNumberOrText(account), resource_state: 2 } } : {}),
    }),
  renderInvalidGrant: () => errorResponse(400, 'Bad Request', 'RefreshToken', 'refresh_token'),
  renderInvalidAccessToken: () => errorResponse(401, 'Authorization Error', 'Athlete', 'access_token'),
  respond,
  listItems(resource, days, account) {
    if (resource === 'activities')
      return days.flatMap(({ workouts, zone }) => workouts.map((workout) => buildActivity(workout, zone, account)));
    if (resource !== 'streams') return [];
    return days.flatMap(({ workouts }) => workouts.filter(({ trace }) => trace.length > 0).map(buildStreams));
  },
  buildPushes,
};
