import { expect, test } from 'vitest';
import { garminFetch } from '../../../../shared/providers/garmin/fetch.ts';
import type { FetchRequest } from '../../../../shared/providers/kit/adapter.ts';
import { type ProviderRequest, UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const fetchRequest: FetchRequest = {
  from: '2026-03-02',
  to: '2026-03-31',
  zone: 'Europe/Berlin',
  account: 'd3315b1072421d0dd7c8f6b8e1de4df8',
  scopes: null,
  nowMs: Date.parse('2026-03-31T10:00:00Z'),
  credentials: { clientId: 'c', clientSecret: 's', more: {} },
};
const typeOf = ({ url }: ProviderRequest): string =>
  url.slice('https://apis.garmin.com/wellness-api/rest/backfill/'.length);

test('a window is requested as a backfill of each kind, in UTC seconds up to now, and returns no pages', () => {
  const { result, requests } = runRequestFlow(garminFetch.fetchWindow(fetchRequest), () => makeResponse('', 202));
  expect(result).toEqual([]);
  expect(requests.map(typeOf)).toEqual([
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
  // These are 2026-03-02T00:00+01:00 and 2026-03-31T12:00+02:00.
  for (const { method, query } of requests) {
    expect(method).toBe('GET');
    expect(query).toEqual({ summaryStartTimeInSeconds: '1772406000', summaryEndTimeInSeconds: '1774951200' });
  }
});

test('no call spans more than 30 days, and the spans neither overlap nor leave a gap', () => {
  const { requests } = runRequestFlow(
    garminFetch.fetchWindow({ ...fetchRequest, from: '2026-01-01', to: '2026-03-10' }),
    () => makeResponse('', 202),
  );
  const dailies = requests.filter((request) => typeOf(request) === 'dailies').map(({ query }) => query);
  // These are the local midnights of 1 January and 11 March, an hour before the UTC ones.
  expect(dailies).toEqual([
    { summaryStartTimeInSeconds: '1767222000', summaryEndTimeInSeconds: '1769814000' },
    { summaryStartTimeInSeconds: '1769814000', summaryEndTimeInSeconds: '1772406000' },
    { summaryStartTimeInSeconds: '1772406000', summaryEndTimeInSeconds: '1773183600' },
  ]);
});

test('a range that was requested before is accepted', () => {
  expect(runRequestFlow(garminFetch.fetchWindow(fetchRequest), () => makeResponse('', 409)).requests).toHaveLength(11);
});

test('without the permission for historical data, nothing else is requested', () => {
  expect(runRequestFlow(garminFetch.fetchWindow(fetchRequest), () => makeResponse('', 403))).toMatchObject({
    result: [],
    requests: [{}],
  });
});

test('when Garmin names an earliest time, the rest is requested from there', () => {
  const refusal = { errorMessage: 'start 2026-03-01T23:00:00Z before min start time of 2026-03-15T08:30:00.500Z' };
  const { requests } = runRequestFlow(garminFetch.fetchWindow(fetchRequest), (request) =>
    typeOf(request) === 'sleeps' && request.query?.['summaryStartTimeInSeconds'] === '1772406000'
      ? makeResponse(refusal, 400)
      : makeResponse('', 202),
  );
  expect(requests).toHaveLength(12);
  expect(requests.filter((request) => typeOf(request) === 'sleeps').map(({ query }) => query)).toEqual([
    { summaryStartTimeInSeconds: '1772406000', summaryEndTimeInSeconds: '1774951200' },
    { summaryStartTimeInSeconds: '1773563401', summaryEndTimeInSeconds: '1774951200' },
  ]);
});

test('a window before the earliest time is complete without further requests', () => {
  const refusal = { errorMessage: 'before min start time of 2026-05-01T00:00:00Z' };
  expect(runRequestFlow(garminFetch.fetchWindow(fetchRequest), () => makeResponse(refusal, 400)).requests).toHaveLength(
    11,
  );
});

test('a kind that is not enabled in the portal is left out', () => {
  const { requests } = runRequestFlow(garminFetch.fetchWindow(fetchRequest), (request) =>
    typeOf(request) === 'hrv'
      ? makeResponse({ errorMessage: 'Endpoint not enabled for summary type: CONNECT_HRV' }, 400)
      : makeResponse('', 202),
  );
  expect(requests).toHaveLength(11);
});

test.each([
  [400, { errorMessage: 'something else' }],
  [400, 'no JSON'],
  [412, ''],
])('an unknown response (%s) is unexpected', (status, body) => {
  expect(() => runRequestFlow(garminFetch.fetchWindow(fetchRequest), () => makeResponse(body, status))).toThrow(
    UnexpectedResponse,
  );
});
