// Polar as the sandbox plays it: lists of the last weeks, days by range, nothing found as 404 or 204, and webhooks signed with the key of their making.
import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { addDays, daysBetween, isCalendarDate } from '../../platform/time/local-day.ts';
import type { PushKeys } from '../../providers/kit/push.ts';
import type { LifeDay } from './life.ts';
import { polarExerciseId, polarItems } from './polar-items.ts';
import { type DataRequest, type ItemsOf, type OutgoingPush, type VendorShapes, vendorJson } from './shapes.ts';

const mostDays = 28;
const exerciseDays = 30;

/** What a test wrote down may lack anything. */
const Item = z.looseObject({});
const field = (item: unknown, name: string): string => String(Item.safeParse(item).data?.[name]);

const empty = (status: number) => ({ status, headers: {}, text: '' });
const todayAt = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** By the date that an item states or starts with. */
const dateOf = (item: unknown): string => {
  const stated = ['date', 'sleep_date', 'start_time']
    .map((name) => field(item, name))
    .find((text) => text !== 'undefined');
  const tested = Number(field(item, 'test_time'));
  return stated?.slice(0, 10) ?? (Number.isFinite(tested) ? todayAt(tested * 1000) : '');
};

/** The last weeks, whatever is asked for. */
function latest({ nowMs }: DataRequest, items: ItemsOf, resource: string, days: number): readonly unknown[] {
  const dates = { from: addDays(todayAt(nowMs), 1 - days), to: addDays(todayAt(nowMs), 1) };
  return items(resource, dates).filter((item) => dateOf(item) >= dates.from);
}

/** Undefined: a range that Polar does not take. */
function ranged({ query }: DataRequest, items: ItemsOf, resource: string): readonly unknown[] | undefined {
  const { from = '', to = '' } = query;
  if (!isCalendarDate(from) || !isCalendarDate(to) || daysBetween(from, to) < 0) return undefined;
  if (daysBetween(from, to) >= mostDays) return undefined;
  return items(resource, { from, to }).filter((item) => dateOf(item) >= from && dateOf(item) <= to);
}

const refused = vendorJson(
  { error_type: 'bad_request', message: 'from and to must be dates at most 28 days apart' },
  400,
);

function list(request: DataRequest, items: ItemsOf) {
  const { path } = request;
  const none = (found: readonly unknown[], status: number, body: unknown) =>
    found.length === 0 ? empty(status) : vendorJson(body);
  if (path === '/v3/users/sleep') {
    const nights = latest(request, items, 'nights', mostDays);
    return none(nights, 404, { nights });
  }
  if (path === '/v3/users/nightly-recharge') {
    const recharges = latest(request, items, 'recharges', mostDays);
    return none(recharges, 404, { recharges });
  }
  if (path === '/v3/users/continuous-heart-rate') {
    const days = ranged(request, items, 'heart_rates');
    return days ? none(days, 404, { heart_rates: days }) : refused;
  }
  const [, resource] =
    /^\/v3\/users\/(activities|biosensing\/(?:spo2|bodytemperature|skintemperature))$/.exec(path) ?? [];
  if (!resource) return undefined;
  const found = ranged(request, items, resource.replace('biosensing/', ''));
  return found ? none(found, 204, found) : refused;
}

function exercises(request: DataRequest, items: ItemsOf) {
  const { path, query } = request;
  const shown = (item: unknown): object => {
    const { samples, ...rest } = Item.parse(item);
    return query['samples'] === 'true' ? { ...rest, samples } : rest;
  };
  if (path === '/v3/exercises') return vendorJson(latest(request, items, 'exercises', exerciseDays).map(shown));
  const [, id] = /^\/v3\/exercises\/([\w-]+)$/.exec(path) ?? [];
  if (!id) return undefined;
  const found = items('exercises').find((item) => field(item, 'id') === id);
  return found === undefined ? empty(404) : vendorJson(shown(found));
}

/** Nothing is ever committed, so each transaction holds the same. */
function physical({ method, path }: DataRequest, items: ItemsOf) {
  const [, root, transaction, entry] =
    /^(\/v3\/users\/\d+\/physical-information-transactions)(?:\/(\d+))?(?:\/physical-informations\/(\d+))?$/.exec(
      path,
    ) ?? [];
  if (!root) return undefined;
  const entries = items('physical');
  if (!transaction)
    return method === 'POST' && entries.length > 0 ? vendorJson({ 'transaction-id': 122 }, 201) : empty(204);
  if (entry) return entries[Number(entry)] === undefined ? empty(404) : vendorJson(entries[Number(entry)]);
  const uris = entries.map(
    (_, at) => `https://www.polaraccesslink.com${root}/${transaction}/physical-informations/${at}`,
  );
  return vendorJson({ 'physical-informations': uris });
}

/** Only those that a test wrote down are remembered. */
function webhooks({ method, path, json }: DataRequest, items: ItemsOf) {
  if (method === 'POST' && path === '/v3/webhooks/activate') return empty(200);
  if (method === 'DELETE' && /^\/v3\/webhooks\/[\w-]+$/.test(path)) return empty(204);
  if (path !== '/v3/webhooks') return undefined;
  if (method === 'GET') return vendorJson({ data: items('webhooks') });
  const { events, url } = Item.safeParse(json).data ?? {};
  const key = randomBytes(24).toString('base64url');
  return vendorJson({ data: { id: 'sandbox1', events, url, signature_secret_key: key } }, 201);
}

function answer(request: DataRequest, items: ItemsOf) {
  const { method, path, account, json } = request;
  if (method === 'POST' && path === '/v3/users')
    return vendorJson({ 'polar-user-id': Number(account), 'member-id': field(json, 'member-id') });
  const data = method === 'GET' ? (list(request, items) ?? exercises(request, items)) : undefined;
  return data ?? physical(request, items) ?? webhooks(request, items);
}

function pushes(account: string, days: readonly LifeDay[], keys: PushKeys, nowMs: number): OutgoingPush[] {
  const { subscriptionSecret } = keys;
  if (subscriptionSecret === undefined) return [];
  const send = (event: string, more: object): OutgoingPush => {
    const timestamp = new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z');
    const body = JSON.stringify({ event, user_id: Number(account), timestamp, ...more });
    const signature = createHmac('sha256', subscriptionSecret).update(body).digest('hex');
    return { headers: { 'polar-webhook-event': event, 'polar-webhook-signature': signature }, body, secretPath: false };
  };
  const api = 'https://www.polaraccesslink.com/v3';
  return days.flatMap((day) => [
    ...(day.sleeps.length === 0 ? [] : [send('SLEEP', { date: day.date, url: `${api}/users/sleep/${day.date}` })]),
    ...(day.steps === null
      ? []
      : [send('ACTIVITY_SUMMARY', { date: day.date, url: `${api}/users/activities/${day.date}` })]),
    ...day.workouts.map((workout) => {
      const id = polarExerciseId(workout);
      return send('EXERCISE', { entity_id: id, url: `${api}/exercises/${id}` });
    }),
  ]);
}

export const polarShapes: VendorShapes = {
  tokens: ({ accessToken, account }) =>
    vendorJson({ access_token: accessToken, token_type: 'bearer', expires_in: 31_535_999, x_user_id: Number(account) }),
  badToken: () => empty(401),
  answer,
  items: polarItems,
  pushes,
};
