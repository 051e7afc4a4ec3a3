// Simulates Suunto: samples and statistics of up to 28 days, workouts in pages, and signed
// notifications.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { addDays, dayMs, utcDay } from '../../platform/time/local-day.ts';
import {
  type DataRequest,
  type ItemSource,
  jsonProviderResponse,
  type OutgoingPush,
  type ProviderSimulator,
} from './simulator.ts';
import { suuntoItems } from './suunto-items.ts';

const maxRangeMs = 28 * dayMs;
const TimedItem = z.looseObject({ timestamp: z.string() });
const WorkoutItem = z.looseObject({ startTime: z.number(), workoutKey: z.string() });

const errorResponse = (description: string) =>
  jsonProviderResponse({ error: { code: '400', description }, payload: null }, 400);

/** A local day may begin most of a day before or after the UTC day. */
const paddedDates = (fromMs: number, toMs: number) => ({
  from: addDays(utcDay(fromMs), -1),
  to: addDays(utcDay(toMs), 1),
});

/** Both ends are inclusive. */
function respondWithSamples(resource: string, { query }: DataRequest, items: ItemSource) {
  const [from, to] = [Number(query['from']), Number(query['to'])];
  if (!(to >= from) || to - from > maxRangeMs) return errorResponse('from and to must be at most 28 days apart');
  const isInRange = (item: unknown): boolean => {
    const ms = Date.parse(TimedItem.parse(item).timestamp);
    return ms >= from && ms <= to;
  };
  return jsonProviderResponse(items(resource, paddedDates(from, to)).filter(isInRange));
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

function respondWithStatistics({ query }: DataRequest, items: ItemSource) {
  const { startdate = '', enddate = '' } = query;
  const [from, to] = [Date.parse(`${startdate}Z`), Date.parse(`${enddate}Z`)];
  if (!timePattern.test(startdate) || !timePattern.test(enddate) || !(to >= from) || to - from > maxRangeMs)
    return errorResponse('startdate and enddate must be at most 28 days apart');
  return jsonProviderResponse(items('statistics', { from: utcDay(from), to: utcDay(to) }));
}

function respondWithWorkouts({ query, nowMs }: DataRequest, items: ItemSource) {
  const [since, until] = [Number(query['since'] ?? 0), Number(query['until'] ?? nowMs)];
  const [limit, offset] = [Number(query['limit'] ?? 50), Number(query['offset'] ?? 0)];
  if (query['filter-by-modification-time'] !== 'false')
    return errorResponse('filter-by-modification-time must be false');
  const all = items('workouts', paddedDates(since, until))
    .filter((item) => {
      const { startTime } = WorkoutItem.parse(item);
      return startTime >= since && startTime <= until;
    })
    .toSorted((a, b) => WorkoutItem.parse(b).startTime - WorkoutItem.parse(a).startTime);
  return jsonProviderResponse({
    error: null,
    payload: all.slice(offset, offset + limit),
    metadata: { ts: String(nowMs) },
  });
}

const workoutPathPattern = /^\/v3\/workouts\/(\w+)$/;

function respondWithWorkout(key: string, items: ItemSource) {
  const found = items('workouts').find((item) => WorkoutItem.parse(item).workoutKey === key);
  return found
    ? jsonProviderResponse({ error: null, payload: found, metadata: {} })
    : jsonProviderResponse({ error: 'Not found' }, 404);
}

const encodeJwtPart = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');

export const suuntoSimulator: ProviderSimulator = {
  renderTokens: ({ accessToken, refreshToken, expiresInSeconds, account }) =>
    jsonProviderResponse({
      access_token: `${encodeJwtPart({ alg: 'RS256' })}.${encodeJwtPart({ user: account, sub: account })}.${accessToken}`,
      token_type: 'bearer',
      refresh_token: refreshToken,
      expires_in: expiresInSeconds,
      scope: 'workout',
      user: account,
    }),
  respond(request, items) {
    if (request.method !== 'GET') return undefined;
    const { path } = request;
    if (path === '/247samples/sleep') return respondWithSamples('sleep', request, items);
    if (path === '/247samples/activity') return respondWithSamples('activity', request, items);
    if (path === '/247samples/recovery') return respondWithSamples('recovery', request, items);
    if (path === '/247samples/daily-activity-statistics') return respondWithStatistics(request, items);
    if (path === '/v3/workouts/') return respondWithWorkouts(request, items);
    const [, key] = workoutPathPattern.exec(path) ?? [];
    return key === undefined ? undefined : respondWithWorkout(key, items);
  },
  listItems: suuntoItems,
  buildPushes(account, days, { credentials }): OutgoingPush[] {
    const secret = credentials.more['notification_secret'];
    if (!secret) return [];
    const sampleNotifications = [
      { type: 'SUUNTO_247_SLEEP_CREATED', samples: suuntoItems('sleep', days) },
      { type: 'SUUNTO_247_ACTIVITY_CREATED', samples: suuntoItems('activity', days) },
    ].filter((each) => each.samples.length > 0);
    const workoutNotifications = suuntoItems('workouts', days).map((item) => ({
      type: 'WORKOUT_CREATED',
      workout: { workoutKey: WorkoutItem.parse(item).workoutKey },
      gear: { manufacturer: 'Suunto', name: 'Race', productType: 'WATCH' },
    }));
    return [...sampleNotifications, ...workoutNotifications].map((notification) => {
      const body = JSON.stringify({ username: account, ...notification });
      return {
        headers: {
          'content-type': 'application/json',
          'x-hmac-sha256-signature': createHmac('sha256', secret).update(body).digest('hex'),
        },
        body,
        secretPath: false,
      };
    });
  },
};
