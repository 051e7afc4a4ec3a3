// Simulates COROS: always status 200, tokens in the query, days by the watch's calendar, and ids
// that exceed the precision of a double.
import * as z from 'zod';
import { addDays, daysBetween, isCalendarDate, utcDay } from '../../platform/time/local-day.ts';
import type { ProviderResponse } from '../../providers/kit/request-flow.ts';
import { corosItems } from './coros-items.ts';
import {
  type DataRequest,
  type ItemSource,
  jsonProviderResponse,
  type OutgoingPush,
  type ProviderSimulator,
} from './simulator.ts';

const maxDays = 30;
const maxAgeDays = 91;

const Workout = z.looseObject({ startTime: z.number(), startTimezone: z.number().nullish() });
const Day = z.looseObject({ happenDay: z.number() });

/** Writes the ids as JSON numbers, with all digits. */
const withNumericIds = (response: ProviderResponse): ProviderResponse => ({
  ...response,
  text: unquoteIds(response.text),
});
const unquoteIds = (text: string): string => text.replaceAll(/"labelId":"(\d+)"/g, '"labelId":$1');

const successResponse = (data: unknown): ProviderResponse =>
  withNumericIds(jsonProviderResponse({ result: '0000', message: 'OK', data }));
const errorResponse = (result: string, message: string): ProviderResponse =>
  jsonProviderResponse({ result, message, data: null });

const toIsoDate = (compact: string | undefined): string => (compact ?? '').replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');

/** Both ends are inclusive. */
function readDates({ query, nowMs }: DataRequest): { from: string; to: string } | undefined {
  const [from, to] = [toIsoDate(query['startDate']), toIsoDate(query['endDate'])];
  if (!isCalendarDate(from) || !isCalendarDate(to) || from > to) return undefined;
  const isTooOld = daysBetween(from, utcDay(nowMs)) > maxAgeDays;
  return isTooOld || daysBetween(from, to) >= maxDays ? undefined : { from, to };
}

function respondWithWorkouts(request: DataRequest, items: ItemSource): ProviderResponse {
  const dates = readDates(request);
  if (!dates) return errorResponse('1001', 'illegal date');
  const paddedDates = { from: addDays(dates.from, -1), to: addDays(dates.to, 1) };
  return successResponse(
    items('sport', paddedDates).filter((item) => {
      const { startTime, startTimezone } = Workout.parse(item);
      const date = utcDay((startTime + (startTimezone ?? 0) * 900) * 1000);
      return date >= dates.from && date <= dates.to;
    }),
  );
}

function respondWithDays(request: DataRequest, items: ItemSource): ProviderResponse {
  const dates = readDates(request);
  if (!dates) return errorResponse('1001', 'illegal date');
  const dailyItems = items('daily', dates).filter((item) => {
    const date = toIsoDate(String(Day.parse(item).happenDay));
    return date >= dates.from && date <= dates.to;
  });
  return successResponse({ dailyList: dailyItems });
}

export const corosSimulator: ProviderSimulator = {
  renderTokens: ({ accessToken, refreshToken, expiresInSeconds, account, isFirst }) =>
    isFirst
      ? jsonProviderResponse({
          access_token: accessToken,
          refresh_token: refreshToken,
          expires_in: expiresInSeconds,
          openId: account,
        })
      : jsonProviderResponse({ result: '0000', message: 'OK' }),
  renderInvalidGrant: () => jsonProviderResponse({ result: '5001', message: 'refresh token refused' }),
  renderInvalidAccessToken: (path) =>
    path === '/coros/bindState'
      ? successResponse({ bindState: 0 })
      : errorResponse('5006', 'access token is invalid or expired'),
  respond(request, items) {
    if (request.query['openId'] !== request.account) return errorResponse('5010', 'openId is wrong');
    if (request.method !== 'GET') return undefined;
    if (request.path === '/coros/bindState') return successResponse({ bindState: 1 });
    if (request.path === '/v2/coros/sport/list') return respondWithWorkouts(request, items);
    if (request.path === '/coros/daily/query') return respondWithDays(request, items);
    return undefined;
  },
  listItems: corosItems,
  buildPushes(account, days, { credentials }): OutgoingPush[] {
    const workouts = corosItems('sport', days).map((item) => Object.assign({ openId: account }, item));
    const dailyItems = corosItems('daily', days);
    const bodies = [
      ...(workouts.length > 0 ? [{ sportDataList: workouts }] : []),
      ...(dailyItems.length > 0 ? [{ batchDailyList: [{ openId: account, dailyList: dailyItems }] }] : []),
    ];
    return bodies.map((body) => ({
      headers: {
        'content-type': 'application/json',
        client: credentials.clientId,
        secret: credentials.clientSecret,
      },
      body: unquoteIds(JSON.stringify(body)),
      secretPath: false,
    }));
  },
};
