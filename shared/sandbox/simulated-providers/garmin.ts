// Simulates Garmin: it cannot be polled, only requested to send data again, and it pushes each date
// as lists by type.
import { dayMs } from '../../platform/time/local-day.ts';
import { buildGarminActivities, buildGarminSummaries } from './garmin-items.ts';
import type { SimulatedDay } from './simulated-day.ts';
import {
  type DataRequest,
  type ItemSource,
  jsonProviderResponse,
  type OutgoingPush,
  type ProviderSimulator,
} from './simulator.ts';

const backfillTypes = new Set([
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
const maxRangeSeconds = (30 * dayMs) / 1000;
const maxAgeMs = 5 * 365 * dayMs;

const pushedLists = [
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

const emptyResponse = (status: number) => ({ status, headers: {}, text: '' });
const errorResponse = (errorMessage: string) => jsonProviderResponse({ errorMessage }, 400);

function respondToBackfill(type: string, { query, nowMs }: DataRequest) {
  const start = Number(query['summaryStartTimeInSeconds']);
  const end = Number(query['summaryEndTimeInSeconds']);
  if (!backfillTypes.has(type)) return errorResponse(`Endpoint not enabled for summary type: ${type}`);
  if (!(end > start)) return errorResponse('start must be before end');
  if (end - start > maxRangeSeconds) return errorResponse('the time range exceeds the maximum of 30 days');
  const first = nowMs - maxAgeMs;
  if (start * 1000 < first)
    return errorResponse(`start ${start} is before min start time of ${new Date(first).toISOString()}`);
  return emptyResponse(202);
}

const userPathPattern = /^\/(?:partner-gateway|wellness-api)\/rest\/user\/(id|permissions|registration)$/;
const backfillPathPattern = /^\/wellness-api\/rest\/backfill\/(\w+)$/;

/** Only announced data may be fetched: everything that was uploaded within at most one day. */
const pullPathPattern = /^\/wellness-api\/rest\/(activityDetails|activities|dailies|sleeps)$/;
const maxUploadSeconds = 86_400;

function respondToPull(list: string, { query }: DataRequest, itemSource: ItemSource) {
  const start = Number(query['uploadStartTimeInSeconds']);
  const end = Number(query['uploadEndTimeInSeconds']);
  if (!(end >= start && end - start <= maxUploadSeconds))
    return errorResponse('the upload time range must be no longer than 86400 seconds');
  const toDate = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10);
  return jsonProviderResponse(itemSource(list, { from: toDate(start), to: toDate(end) }));
}

function garminItems(list: string, days: readonly SimulatedDay[], account: string): readonly unknown[] {
  return list === 'activities' || list === 'activityDetails'
    ? buildGarminActivities(list, days, account)
    : days.flatMap((day) => buildGarminSummaries(list, day, account));
}

export const garminSimulator: ProviderSimulator = {
  renderTokens: ({ accessToken, refreshToken, expiresInSeconds }) =>
    jsonProviderResponse({
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: expiresInSeconds,
      refresh_token: refreshToken,
      refresh_token_expires_in: 7_775_998,
      scope: 'PARTNER_READ CONNECT_READ CONNECT_WRITE',
      jti: 'c0ffee00-0000-4000-8000-000000000000',
    }),
  respond(request, itemSource) {
    const [, userResource] = userPathPattern.exec(request.path) ?? [];
    if (userResource === 'id' && request.method === 'GET') return jsonProviderResponse({ userId: request.account });
    if (userResource === 'permissions' && request.method === 'GET')
      return jsonProviderResponse({ permissions: ['ACTIVITY_EXPORT', 'HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT'] });
    if (userResource === 'registration' && request.method === 'DELETE') return emptyResponse(204);
    const [, type] = backfillPathPattern.exec(request.path) ?? [];
    if (type !== undefined && request.method === 'GET') return respondToBackfill(type, request);
    const [, list] = pullPathPattern.exec(request.path) ?? [];
    return list !== undefined && request.method === 'GET' ? respondToPull(list, request, itemSource) : undefined;
  },
  listItems: garminItems,
  buildPushes(account, days, { credentials }): OutgoingPush[] {
    return days.flatMap((day) => {
      const lists = pushedLists.map((list) => [list, garminItems(list, [day], account)] as const);
      const nonEmptyLists = lists.filter(([, items]) => items.length > 0);
      if (nonEmptyLists.length === 0) return [];
      return [
        {
          headers: { 'content-type': 'application/json', 'garmin-client-id': credentials.clientId },
          body: JSON.stringify(Object.fromEntries(nonEmptyLists)),
          secretPath: true,
        },
      ];
    });
  },
};
