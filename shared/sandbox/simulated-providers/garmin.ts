// The sandbox's vendor as Garmin: it may not be asked for data, only to send it again, and pushes each date as lists by kind.
import { dayMs } from '../../platform/time/local-day.ts';
import { garminActivities, garminSummaries } from './garmin-items.ts';
import type { LifeDay } from './life.ts';
import { type DataRequest, type ItemsOf, type OutgoingPush, type VendorShapes, vendorJson } from './shapes.ts';

const backfills = new Set([
  'dailies',
  'sleeps',
  'hrv',
  'pulseOx',
  'respiration',
  'stressDetails',
  'bodyComps',
  'bloodPressures',
  'userMetrics',
  'activities',
  'activityDetails',
]);
const longestSeconds = (30 * dayMs) / 1000;
const oldestMs = 5 * 365 * dayMs;

const pushed = [
  'dailies',
  'sleeps',
  'hrv',
  'pulseox',
  'allDayRespiration',
  'stressDetails',
  'bodyComps',
  'userMetrics',
  'activityDetails',
];

const empty = (status: number) => ({ status, headers: {}, text: '' });
const refused = (errorMessage: string) => vendorJson({ errorMessage }, 400);

function backfillReply(type: string, { query, nowMs }: DataRequest) {
  const start = Number(query['summaryStartTimeInSeconds']);
  const end = Number(query['summaryEndTimeInSeconds']);
  if (!backfills.has(type)) return refused(`Endpoint not enabled for summary type: ${type}`);
  if (!(end > start)) return refused('start must be before end');
  if (end - start > longestSeconds) return refused('the time range exceeds the maximum of 30 days');
  const first = nowMs - oldestMs;
  if (start * 1000 < first)
    return refused(`start ${start} is before min start time of ${new Date(first).toISOString()}`);
  return empty(202);
}

const user = /^\/(?:partner-gateway|wellness-api)\/rest\/user\/(id|permissions|registration)$/;
const backfill = /^\/wellness-api\/rest\/backfill\/(\w+)$/;

/** Only what was announced may be fetched: everything that was uploaded within a day at most. */
const pulled = /^\/wellness-api\/rest\/(activityDetails|activities|dailies|sleeps)$/;
const longestUploadSeconds = 86_400;

function pullReply(list: string, { query }: DataRequest, of: ItemsOf) {
  const start = Number(query['uploadStartTimeInSeconds']);
  const end = Number(query['uploadEndTimeInSeconds']);
  if (!(end >= start && end - start <= longestUploadSeconds))
    return refused('the upload time range must be no longer than 86400 seconds');
  const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  return vendorJson(of(list, { from: dayOf(start), to: dayOf(end) }));
}

function garminItems(list: string, days: readonly LifeDay[], account: string): readonly unknown[] {
  return list === 'activities' || list === 'activityDetails'
    ? garminActivities(list, days, account)
    : days.flatMap((day) => garminSummaries(list, day, account));
}

export const garminShapes: VendorShapes = {
  tokens: ({ accessToken, refreshToken, expiresInSeconds }) =>
    vendorJson({
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: expiresInSeconds,
      refresh_token: refreshToken,
      refresh_token_expires_in: 7_775_998,
      scope: 'PARTNER_READ CONNECT_READ CONNECT_WRITE',
      jti: 'c0ffee00-0000-4000-8000-000000000000',
    }),
  answer(request, of) {
    const [, about] = user.exec(request.path) ?? [];
    if (about === 'id' && request.method === 'GET') return vendorJson({ userId: request.account });
    if (about === 'permissions' && request.method === 'GET')
      return vendorJson({ permissions: ['ACTIVITY_EXPORT', 'HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT'] });
    if (about === 'registration' && request.method === 'DELETE') return empty(204);
    const [, type] = backfill.exec(request.path) ?? [];
    if (type !== undefined && request.method === 'GET') return backfillReply(type, request);
    const [, list] = pulled.exec(request.path) ?? [];
    return list !== undefined && request.method === 'GET' ? pullReply(list, request, of) : undefined;
  },
  items: garminItems,
  pushes(account, days, { credentials }): OutgoingPush[] {
    return days.flatMap((day) => {
      const lists = pushed.map((list) => [list, garminItems(list, [day], account)] as const);
      const told = lists.filter(([, items]) => items.length > 0);
      if (told.length === 0) return [];
      return [
        {
          headers: { 'content-type': 'application/json', 'garmin-client-id': credentials.clientId },
          body: JSON.stringify(Object.fromEntries(told)),
          secretPath: true,
        },
      ];
    });
  },
};
