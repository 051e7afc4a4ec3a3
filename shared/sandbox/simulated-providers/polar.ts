// Simulates Polar: lists of the last weeks, days by range, 404 or 204 if there is no data, and
// webhooks signed with the key from their creation.
import { createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { addDays, daysBetween, isCalendarDate } from '../../platform/time/local-day.ts';
import type { PushKeys } from '../../providers/kit/push.ts';
import { polarExerciseId, polarItems } from './polar-items.ts';
import type { SimulatedDay } from './simulated-day.ts';
import {
  type DataRequest,
  type ItemSource,
  jsonProviderResponse,
  type OutgoingPush,
  type ProviderSimulator,
} from './simulator.ts';

const maxDays = 28;
const exerciseDays = 30;

/** Items written by a test may lack any field. */
const Item = z.looseObject({});
const readField = (item: unknown, name: string): string => String(Item.safeParse(item).data?.[name]);

const emptyResponse = (status: number) => ({ status, headers: {}, text: '' });
const toUtcDate = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);

/** The date that an item reports or starts on. */
const readDate = (item: unknown): string => {
  const stated = ['date', 'sleep_date', 'start_time']
    .map((name) => readField(item, name))
    .find((text) => text !== 'undefined');
  const testSeconds = Number(readField(item, 'test_time'));
  return stated?.slice(0, 10) ?? (Number.isFinite(testSeconds) ? toUtcDate(testSeconds * 1000) : '');
};

/** The last weeks, regardless of the requested range. */
function listLatest({ nowMs }: DataRequest, items: ItemSource, resource: string, days: number): readonly unknown[] {
  const dates = { from: addDays(toUtcDate(nowMs), 1 - days), to: addDays(toUtcDate(nowMs), 1) };
  return items(resource, dates).filter((item) => readDate(item) >= dates.from);
}

/** Undefined if Polar does not accept the range. */
function listRange({ query }: DataRequest, items: ItemSource, resource: string): readonly unknown[] | undefined {
  const { from = '', to = '' } = query;
  if (!isCalendarDate(from) || !isCalendarDate(to) || daysBetween(from, to) < 0) return undefined;
  if (daysBetween(from, to) >= maxDays) return undefined;
  return items(resource, { from, to }).filter((item) => readDate(item) >= from && readDate(item) <= to);
}

const invalidRangeResponse = jsonProviderResponse(
  { error_type: 'bad_request', message: 'from and to must be dates at most 28 days apart' },
  400,
);

function respondWithList(request: DataRequest, items: ItemSource) {
  const { path } = request;
  const emptyOr = (found: readonly unknown[], status: number, body: unknown) =>
    found.length === 0 ? emptyResponse(status) : jsonProviderResponse(body);
  if (path === '/v3/users/sleep') {
    const nights = listLatest(request, items, 'nights', maxDays);
    return emptyOr(nights, 404, { nights });
  }
  if (path === '/v3/users/nightly-recharge') {
    const recharges = listLatest(request, items, 'recharges', maxDays);
    return emptyOr(recharges, 404, { recharges });
  }
  if (path === '/v3/users/continuous-heart-rate') {
    const days = listRange(request, items, 'heart_rates');
    return days ? emptyOr(days, 404, { heart_rates: days }) : invalidRangeResponse;
  }
  const [, resource] =
    /^\/v3\/users\/(activities|biosensing\/(?:spo2|bodytemperature|skintemperature))$/.exec(path) ?? [];
  if (!resource) return undefined;
  const found = listRange(request, items, resource.replace('biosensing/', ''));
  return found ? emptyOr(found, 204, found) : invalidRangeResponse;
}

function respondWithExercises(request: DataRequest, items: ItemSource) {
  const { path, query } = request;
  const render = (item: unknown): object => {
    const { samples, ...rest } = Item.parse(item);
    return query['samples'] === 'true' ? { ...rest, samples } : rest;
  };
  if (path === '/v3/exercises')
    return jsonProviderResponse(listLatest(request, items, 'exercises', exerciseDays).map(render));
  const [, id] = /^\/v3\/exercises\/([\w-]+)$/.exec(path) ?? [];
  if (!id) return undefined;
  const found = items('exercises').find((item) => readField(item, 'id') === id);
  return found === undefined ? emptyResponse(404) : jsonProviderResponse(render(found));
}

/** Nothing is ever committed, so each transaction contains the same entries. */
function respondWithPhysical({ method, path }: DataRequest, items: ItemSource) {
  const [, root, transaction, entry] =
    /^(\/v3\/users\/\d+\/physical-information-transactions)(?:\/(\d+))?(?:\/physical-informations\/(\d+))?$/.exec(
      path,
    ) ?? [];
  if (!root) return undefined;
  const entries = items('physical');
  if (!transaction)
    return method === 'POST' && entries.length > 0
      ? jsonProviderResponse({ 'transaction-id': 122 }, 201)
      : emptyResponse(204);
  if (entry)
    return entries[Number(entry)] === undefined ? emptyResponse(404) : jsonProviderResponse(entries[Number(entry)]);
  const uris = entries.map(
    (_, at) => `https://www.polaraccesslink.com${root}/${transaction}/physical-informations/${at}`,
  );
  return jsonProviderResponse({ 'physical-informations': uris });
}

/** Only webhooks written by a test are remembered. */
function respondToWebhook({ method, path, json }: DataRequest, items: ItemSource) {
  if (method === 'POST' && path === '/v3/webhooks/activate') return emptyResponse(200);
  if (method === 'DELETE' && /^\/v3\/webhooks\/[\w-]+$/.test(path)) return emptyResponse(204);
  if (path !== '/v3/webhooks') return undefined;
  if (method === 'GET') return jsonProviderResponse({ data: items('webhooks') });
  const { events, url } = Item.safeParse(json).data ?? {};
  const key = randomBytes(24).toString('base64url');
  return jsonProviderResponse({ data: { id: 'sandbox1', events, url, signature_secret_key: key } }, 201);
}

function respond(request: DataRequest, items: ItemSource) {
  const { method, path, account, json } = request;
  if (method === 'POST' && path === '/v3/users')
    return jsonProviderResponse({ 'polar-user-id': Number(account), 'member-id': readField(json, 'member-id') });
  const data = method === 'GET' ? (respondWithList(request, items) ?? respondWithExercises(request, items)) : undefined;
  return data ?? respondWithPhysical(request, items) ?? respondToWebhook(request, items);
}

function buildPushes(account: string, days: readonly SimulatedDay[], keys: PushKeys, nowMs: number): OutgoingPush[] {
  const { subscriptionSecret } = keys;
  if (subscriptionSecret === undefined) return [];
  const buildPush = (event: string, extraFields: object): OutgoingPush => {
    const timestamp = new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z');
    const body = JSON.stringify({ event, user_id: Number(account), timestamp, ...extraFields });
    const signature = createHmac('sha256', subscriptionSecret).update(body).digest('hex');
    return { headers: { 'polar-webhook-event': event, 'polar-webhook-signature': signature }, body, secretPath: false };
  };
  const api = 'https://www.polaraccesslink.com/v3';
  return days.flatMap((day) => [
    ...(day.sleeps.length === 0 ? [] : [buildPush('SLEEP', { date: day.date, url: `${api}/users/sleep/${day.date}` })]),
    ...(day.steps === null
      ? []
      : [buildPush('ACTIVITY_SUMMARY', { date: day.date, url: `${api}/users/activities/${day.date}` })]),
    ...day.workouts.map((workout) => {
      const id = polarExerciseId(workout);
      return buildPush('EXERCISE', { entity_id: id, url: `${api}/exercises/${id}` });
    }),
  ]);
}

export const polarSimulator: ProviderSimulator = {
  renderTokens: ({ accessToken, account }) =>
    jsonProviderResponse({
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: 31_535_999,
      x_user_id: Number(account),
    }),
  renderInvalidAccessToken: () => emptyResponse(401),
  respond,
  listItems: polarItems,
  buildPushes,
};
