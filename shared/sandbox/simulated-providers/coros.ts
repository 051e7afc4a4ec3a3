// The sandbox's vendor as COROS: 200 whatever happens, tokens in the query, days by the watch's calendar, ids longer than a double can count.
import * as z from 'zod';
import { addDays, daysBetween, isCalendarDate, utcDay } from '../../platform/time/local-day.ts';
import type { VendorReply } from '../../providers/kit/vendor.ts';
import { corosItems } from './coros-items.ts';
import { type DataRequest, type ItemsOf, type OutgoingPush, type VendorShapes, vendorJson } from './shapes.ts';

const mostDays = 30;
const oldestDays = 91;

const Workout = z.looseObject({ startTime: z.number(), startTimezone: z.number().nullish() });
const Day = z.looseObject({ happenDay: z.number() });

/** Written as a number, digit by digit. */
const withLongIds = (reply: VendorReply): VendorReply => ({ ...reply, text: asNumbers(reply.text) });
const asNumbers = (text: string): string => text.replaceAll(/"labelId":"(\d+)"/g, '"labelId":$1');

const fine = (data: unknown): VendorReply => withLongIds(vendorJson({ result: '0000', message: 'OK', data }));
const refused = (result: string, message: string): VendorReply => vendorJson({ result, message, data: null });

const written = (compact: string | undefined): string => (compact ?? '').replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');

/** Both ends are included. */
function datesOf({ query, nowMs }: DataRequest): { from: string; to: string } | undefined {
  const [from, to] = [written(query['startDate']), written(query['endDate'])];
  if (!isCalendarDate(from) || !isCalendarDate(to) || from > to) return undefined;
  const isTooOld = daysBetween(from, utcDay(nowMs)) > oldestDays;
  return isTooOld || daysBetween(from, to) >= mostDays ? undefined : { from, to };
}

function sportList(request: DataRequest, items: ItemsOf): VendorReply {
  const dates = datesOf(request);
  if (!dates) return refused('1001', 'illegal date');
  const around = { from: addDays(dates.from, -1), to: addDays(dates.to, 1) };
  return fine(
    items('sport', around).filter((item) => {
      const { startTime, startTimezone } = Workout.parse(item);
      const date = utcDay((startTime + (startTimezone ?? 0) * 900) * 1000);
      return date >= dates.from && date <= dates.to;
    }),
  );
}

function dailyList(request: DataRequest, items: ItemsOf): VendorReply {
  const dates = datesOf(request);
  if (!dates) return refused('1001', 'illegal date');
  const dailyOnes = items('daily', dates).filter((item) => {
    const date = written(String(Day.parse(item).happenDay));
    return date >= dates.from && date <= dates.to;
  });
  return fine({ dailyList: dailyOnes });
}

export const corosShapes: VendorShapes = {
  tokens: ({ accessToken, refreshToken, expiresInSeconds, account, isFirst }) =>
    isFirst
      ? vendorJson({
          access_token: accessToken,
          refresh_token: refreshToken,
          expires_in: expiresInSeconds,
          openId: account,
        })
      : vendorJson({ result: '0000', message: 'OK' }),
  deadToken: () => vendorJson({ result: '5001', message: 'refresh token refused' }),
  badToken: (path) =>
    path === '/coros/bindState' ? fine({ bindState: 0 }) : refused('5006', 'access token is invalid or expired'),
  answer(request, items) {
    if (request.query['openId'] !== request.account) return refused('5010', 'openId is wrong');
    if (request.method !== 'GET') return undefined;
    if (request.path === '/coros/bindState') return fine({ bindState: 1 });
    if (request.path === '/v2/coros/sport/list') return sportList(request, items);
    if (request.path === '/coros/daily/query') return dailyList(request, items);
    return undefined;
  },
  items: corosItems,
  pushes(account, days, { credentials }): OutgoingPush[] {
    const workouts = corosItems('sport', days).map((item) => Object.assign({ openId: account }, item));
    const dailyOnes = corosItems('daily', days);
    const bodies = [
      ...(workouts.length > 0 ? [{ sportDataList: workouts }] : []),
      ...(dailyOnes.length > 0 ? [{ batchDailyList: [{ openId: account, dailyList: dailyOnes }] }] : []),
    ];
    return bodies.map((body) => ({
      headers: {
        'content-type': 'application/json',
        client: credentials.clientId,
        secret: credentials.clientSecret,
      },
      body: asNumbers(JSON.stringify(body)),
      secretPath: false,
    }));
  },
};
