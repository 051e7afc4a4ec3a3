// The sandbox's vendor as Suunto: samples and statistics of up to 28 days, workouts in pages, signed notifications.
import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { addDays, dayMs, utcDay } from '../../platform/time/local-day.ts';
import { type DataRequest, type ItemsOf, type OutgoingPush, type VendorShapes, vendorJson } from './shapes.ts';
import { suuntoItems } from './suunto-items.ts';

const longestMs = 28 * dayMs;
const Timed = z.looseObject({ timestamp: z.string() });
const Started = z.looseObject({ startTime: z.number(), workoutKey: z.string() });

const refused = (description: string) => vendorJson({ error: { code: '400', description }, payload: null }, 400);

/** A local day may begin most of a day before or after that of UTC. */
const datesBetween = (fromMs: number, toMs: number) => ({
  from: addDays(utcDay(fromMs), -1),
  to: addDays(utcDay(toMs), 1),
});

/** Both ends are included. */
function samples(resource: string, { query }: DataRequest, items: ItemsOf) {
  const [from, to] = [Number(query['from']), Number(query['to'])];
  if (!(to >= from) || to - from > longestMs) return refused('from and to must be at most 28 days apart');
  const isAsked = (item: unknown): boolean => {
    const ms = Date.parse(Timed.parse(item).timestamp);
    return ms >= from && ms <= to;
  };
  return vendorJson(items(resource, datesBetween(from, to)).filter(isAsked));
}

const clock = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

function statistics({ query }: DataRequest, items: ItemsOf) {
  const { startdate = '', enddate = '' } = query;
  const [from, to] = [Date.parse(`${startdate}Z`), Date.parse(`${enddate}Z`)];
  if (!clock.test(startdate) || !clock.test(enddate) || !(to >= from) || to - from > longestMs)
    return refused('startdate and enddate must be at most 28 days apart');
  return vendorJson(items('statistics', { from: utcDay(from), to: utcDay(to) }));
}

function workouts({ query, nowMs }: DataRequest, items: ItemsOf) {
  const [since, until] = [Number(query['since'] ?? 0), Number(query['until'] ?? nowMs)];
  const [limit, offset] = [Number(query['limit'] ?? 50), Number(query['offset'] ?? 0)];
  if (query['filter-by-modification-time'] !== 'false') return refused('only start times are known here');
  const all = items('workouts', datesBetween(since, until))
    .filter((item) => {
      const { startTime } = Started.parse(item);
      return startTime >= since && startTime <= until;
    })
    .toSorted((a, b) => Started.parse(b).startTime - Started.parse(a).startTime);
  return vendorJson({ error: null, payload: all.slice(offset, offset + limit), metadata: { ts: String(nowMs) } });
}

const one = /^\/v3\/workouts\/(\w+)$/;

function workout(key: string, items: ItemsOf) {
  const found = items('workouts').find((item) => Started.parse(item).workoutKey === key);
  return found ? vendorJson({ error: null, payload: found, metadata: {} }) : vendorJson({ error: 'Not found' }, 404);
}

const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url');

export const suuntoShapes: VendorShapes = {
  tokens: ({ accessToken, refreshToken, expiresInSeconds, account }) =>
    vendorJson({
      access_token: `${part({ alg: 'RS256' })}.${part({ user: account, sub: account })}.${accessToken}`,
      token_type: 'bearer',
      refresh_token: refreshToken,
      expires_in: expiresInSeconds,
      scope: 'workout',
      user: account,
    }),
  answer(request, items) {
    if (request.method !== 'GET') return undefined;
    const { path } = request;
    if (path === '/247samples/sleep') return samples('sleep', request, items);
    if (path === '/247samples/activity') return samples('activity', request, items);
    if (path === '/247samples/recovery') return samples('recovery', request, items);
    if (path === '/247samples/daily-activity-statistics') return statistics(request, items);
    if (path === '/v3/workouts/') return workouts(request, items);
    const [, key] = one.exec(path) ?? [];
    return key === undefined ? undefined : workout(key, items);
  },
  items: suuntoItems,
  pushes(account, days, { credentials }): OutgoingPush[] {
    const secret = credentials.more['notification_secret'];
    if (!secret) return [];
    const told = [
      { type: 'SUUNTO_247_SLEEP_CREATED', samples: suuntoItems('sleep', days) },
      { type: 'SUUNTO_247_ACTIVITY_CREATED', samples: suuntoItems('activity', days) },
    ].filter((each) => each.samples.length > 0);
    const done = suuntoItems('workouts', days).map((item) => ({
      type: 'WORKOUT_CREATED',
      workout: { workoutKey: Started.parse(item).workoutKey },
      gear: { manufacturer: 'Suunto', name: 'Race', productType: 'WATCH' },
    }));
    return [...told, ...done].map((notification) => {
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
