// Strava as the sandbox plays it: activities in lists and in full, heart-rate streams, one push subscription, and events about activities.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { PushKeys } from '../../providers/kit/push.ts';
import type { LifeDay, LifeWorkout } from './life.ts';
import { numberFor } from './number-for.ts';
import { type DataRequest, type ItemsOf, type OutgoingPush, type VendorShapes, vendorJson } from './shapes.ts';

const mostPerPage = 200;
const usualPerPage = 30;
const root = '/api/v3';

const sports: Readonly<Record<string, string>> = {
  running: 'Run',
  walking: 'Walk',
  cycling: 'Ride',
  swimming: 'Swim',
};

/** What a test wrote down may lack anything. */
const Item = z.looseObject({});
const asItem = (item: unknown): z.infer<typeof Item> => Item.safeParse(item).data ?? {};
const isNamed =
  (id: string) =>
  (item: unknown): boolean =>
    String(asItem(item)['id']) === id;
const started = (item: unknown): number => Date.parse(String(asItem(item)['start_date']));

const isoSeconds = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

const activityNumber = ({ id }: LifeWorkout): number => 16_000_000_000 + numberFor(id);

function activity(workout: LifeWorkout, zone: string, account: string): object {
  const { startMs, endMs, offsetMinutes, distanceKm, sport, trace } = workout;
  const seconds = Math.round((endMs - startMs) / 1000);
  const sportType = sports[sport] ?? 'Workout';
  const metres = Math.round(distanceKm * 100_000) / 100;
  return {
    id: activityNumber(workout),
    resource_state: 3,
    athlete: { id: numberOrText(account), resource_state: 1 },
    name: workout.name,
    type: sportType,
    sport_type: sportType,
    start_date: isoSeconds(startMs),
    start_date_local: isoSeconds(startMs + offsetMinutes * 60_000),
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
    external_id: `sandbox_${activityNumber(workout)}`,
    ...(trace.length === 0
      ? { has_heartrate: false }
      : { has_heartrate: true, average_heartrate: workout.avgBpm, max_heartrate: workout.maxBpm }),
    calories: workout.kcal,
  };
}

function streams(workout: LifeWorkout): object {
  const { startMs, trace } = workout;
  const stream = (data: readonly number[]) => ({
    data,
    series_type: 'distance',
    original_size: data.length,
    resolution: 'high',
  });
  return {
    id: activityNumber(workout),
    time: stream(trace.map(({ ms }) => Math.round((ms - startMs) / 1000))),
    heartrate: stream(trace.map(({ bpm }) => bpm)),
  };
}

const numberOrText = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);

/** Lists leave out what only details have. */
function summary(item: unknown): object {
  const { calories: _calories, laps: _laps, description: _description, ...rest } = asItem(item);
  return { ...rest, resource_state: 2 };
}

function list({ query }: DataRequest, items: ItemsOf): readonly object[] {
  const bound = (name: string, other: number) => (query[name] === undefined ? other : Number(query[name]) * 1000);
  const after = bound('after', Number.NEGATIVE_INFINITY);
  const before = bound('before', Number.POSITIVE_INFINITY);
  const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const dates =
    Number.isFinite(after) && Number.isFinite(before)
      ? { from: dateOf(after - 86_400_000), to: dateOf(before + 86_400_000) }
      : undefined;
  const found = items('activities', dates).filter((item) => started(item) > after && started(item) < before);
  const ordered = found.toSorted((a, b) =>
    query['after'] === undefined ? started(b) - started(a) : started(a) - started(b),
  );
  const perPage = Math.min(Number(query['per_page'] ?? usualPerPage), mostPerPage);
  const first = (Number(query['page'] ?? 1) - 1) * perPage;
  return ordered.slice(first, first + perPage).map(summary);
}

const notFound = vendorJson(
  { message: 'Record Not Found', errors: [{ resource: 'Activity', field: 'id', code: 'invalid' }] },
  404,
);

function one(resource: string, id: string, items: ItemsOf) {
  const found = items(resource).find(isNamed(id));
  return found === undefined ? notFound : vendorJson(found);
}

function streamsOf(id: string, items: ItemsOf) {
  const found = items('streams').find(isNamed(id));
  if (found === undefined) return notFound;
  const { id: _id, ...rest } = asItem(found);
  return vendorJson(rest);
}

function answer(request: DataRequest, items: ItemsOf) {
  const { method, path, account, form } = request;
  if (method === 'GET' && path === `${root}/athlete`)
    return vendorJson({ id: numberOrText(account), resource_state: 2 });
  if (method === 'GET' && path === `${root}/athlete/activities`) return vendorJson(list(request, items));
  const [, id, part] = /^\/api\/v3\/activities\/(\d+)(\/streams)?$/.exec(path) ?? [];
  if (method === 'GET' && id) return part ? streamsOf(id, items) : one('activities', id, items);
  return subscriptions(method, path, form, items);
}

/** Only those that a test wrote down are remembered. */
function subscriptions(method: string, path: string, form: DataRequest['form'], items: ItemsOf) {
  const [, id] = /^\/api\/v3\/push_subscriptions(?:\/(\d+))?$/.exec(path) ?? [];
  if (id && method === 'DELETE') return { status: 204, headers: {}, text: '' };
  if (path !== `${root}/push_subscriptions`) return undefined;
  if (method === 'GET') return vendorJson(items('push_subscriptions'));
  return method === 'POST' ? vendorJson({ id: subscriptionId, callback_url: form['callback_url'] }, 201) : undefined;
}

const subscriptionId = 131_300;

function pushes(account: string, days: readonly LifeDay[], keys: PushKeys, nowMs: number): OutgoingPush[] {
  const seconds = Math.floor(nowMs / 1000);
  return days.flatMap(({ workouts }) =>
    workouts.map((workout) => {
      const body = JSON.stringify({
        object_type: 'activity',
        object_id: activityNumber(workout),
        aspect_type: 'create',
        owner_id: numberOrText(account),
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

const fault = (status: number, message: string, resource: string, field: string) =>
  vendorJson({ message, errors: [{ resource, field, code: 'invalid' }] }, status);

export const stravaShapes: VendorShapes = {
  tokens: ({ accessToken, refreshToken, expiresInSeconds, account, isFirst }) =>
    vendorJson({
      token_type: 'Bearer',
      access_token: accessToken,
      refresh_token: refreshToken,
      expires_in: expiresInSeconds,
      ...(isFirst ? { athlete: { id: numberOrText(account), resource_state: 2 } } : {}),
    }),
  deadToken: () => fault(400, 'Bad Request', 'RefreshToken', 'refresh_token'),
  badToken: () => fault(401, 'Authorization Error', 'Athlete', 'access_token'),
  answer,
  items(resource, days, account) {
    if (resource === 'activities')
      return days.flatMap(({ workouts, zone }) => workouts.map((workout) => activity(workout, zone, account)));
    if (resource !== 'streams') return [];
    return days.flatMap(({ workouts }) => workouts.filter(({ trace }) => trace.length > 0).map(streams));
  },
  pushes,
};
