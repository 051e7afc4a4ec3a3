import { describe, expect, test } from 'vitest';
import { googleHealthFetch } from '../../../../shared/providers/google-health/fetch.ts';
import type { ProviderRequest, ProviderResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';
import { marchFetchRequest } from '../kit/march-requests.ts';

const window = (
  answer: (request: ProviderRequest) => ProviderResponse,
  more: Parameters<typeof marchFetchRequest>[0] = {},
) => runRequestFlow(googleHealthFetch.fetchWindow(marchFetchRequest(more)), answer);
const empty = makeResponse({});
const base = 'https://health.googleapis.com/v4/users/me/dataTypes';
const requestsTo = (requests: readonly ProviderRequest[], url: string) =>
  requests.filter((each) => each.url === base + url);
const apiError = (code: number, status: string, reason: string) =>
  makeResponse({ error: { code, status, message: status, details: [{ reason }] } }, code);

describe('a window', () => {
  test('requests totals of its own civil days, up to the start of the day after', () => {
    const { requests } = window(() => empty);
    for (const type of [
      'steps',
      'distance',
      'floors',
      'active-energy-burned',
      'total-calories',
      'active-minutes',
      'heart-rate',
    ])
      expect(requestsTo(requests, `/${type}/dataPoints:dailyRollUp`)).toEqual([
        {
          method: 'POST',
          url: `${base}/${type}/dataPoints:dailyRollUp`,
          json: {
            range: {
              start: { date: { year: 2026, month: 3, day: 5 } },
              end: { date: { year: 2026, month: 3, day: 7 } },
            },
            windowSizeDays: 1,
          },
        },
      ]);
  });

  test('requests heart rate averages with an extra day on either side', () => {
    const { requests } = window(() => empty);
    expect(requestsTo(requests, '/heart-rate/dataPoints:rollUp')).toMatchObject([
      {
        method: 'POST',
        json: {
          range: { startTime: '2026-03-04T00:00:00Z', endTime: '2026-03-08T00:00:00Z' },
          windowSize: '300s',
          pageSize: 10_000,
        },
      },
    ]);
  });

  test.each([
    [
      'sleep',
      'sleep.interval.end_time >= "2026-03-04T00:00:00Z" AND sleep.interval.end_time < "2026-03-08T00:00:00Z"',
      '25',
    ],
    [
      'exercise',
      'exercise.interval.civil_start_time >= "2026-03-04T00:00:00" AND exercise.interval.civil_start_time < "2026-03-08T00:00:00"',
      '25',
    ],
    [
      'daily-resting-heart-rate',
      'daily_resting_heart_rate.date >= "2026-03-04" AND daily_resting_heart_rate.date < "2026-03-08"',
      '10000',
    ],
    [
      'weight',
      'weight.sample_time.physical_time >= "2026-03-04T00:00:00Z" AND weight.sample_time.physical_time < "2026-03-08T00:00:00Z"',
      '10000',
    ],
    [
      'nutrition-log',
      'nutrition_log.interval.civil_start_time >= "2026-03-04T00:00:00" AND nutrition_log.interval.civil_start_time < "2026-03-08T00:00:00"',
      '10000',
    ],
  ])('requests %s by the time field that it can be filtered by', (type, filter, pageSize) => {
    const { requests } = window(() => empty);
    expect(requestsTo(requests, `/${type}/dataPoints:reconcile`)).toEqual([
      { method: 'GET', url: `${base}/${type}/dataPoints:reconcile`, query: { filter, pageSize } },
    ]);
  });

  test('requests data in local time on every date that a local clock may show', () => {
    const { requests } = window(() => empty, { zone: 'Pacific/Auckland' });
    expect(requestsTo(requests, '/exercise/dataPoints:reconcile')[0]?.query?.['filter']).toContain(
      '>= "2026-03-03T00:00:00"',
    );
  });

  test('of three weeks is split where no range may exceed fourteen days', () => {
    const { requests } = window(() => empty, { from: '2026-02-01', to: '2026-02-21' });
    const days = requestsTo(requests, '/steps/dataPoints:dailyRollUp').map(({ json }) => JSON.stringify(json));
    expect(days).toHaveLength(2);
    expect(days[0]).toContain(
      '"start":{"date":{"year":2026,"month":2,"day":1}},"end":{"date":{"year":2026,"month":2,"day":15}}',
    );
    expect(days[1]).toContain(
      '"start":{"date":{"year":2026,"month":2,"day":15}},"end":{"date":{"year":2026,"month":2,"day":22}}',
    );
    expect(requestsTo(requests, '/heart-rate/dataPoints:rollUp').map(({ json }) => json)).toMatchObject([
      { range: { startTime: '2026-01-31T00:00:00Z', endTime: '2026-02-14T00:00:00Z' } },
      { range: { startTime: '2026-02-14T00:00:00Z', endTime: '2026-02-23T00:00:00Z' } },
    ]);
  });

  test('of two weeks takes fewer than 30 requests', () => {
    expect(window(() => empty, { from: '2026-02-01', to: '2026-02-14' }).requests.length).toBeLessThan(30);
  });

  test('follows page tokens, in the query or in the body, until there is none', () => {
    const { result, requests } = window(({ url, query, json }) => {
      if (url.endsWith('/sleep/dataPoints:reconcile') && !query?.['pageToken'])
        return makeResponse({ dataPoints: [], nextPageToken: 'p2' });
      if (url.endsWith('heart-rate/dataPoints:rollUp') && !JSON.stringify(json).includes('pageToken'))
        return makeResponse({ rollupDataPoints: [], nextPageToken: 'p3' });
      return makeResponse({ nextPageToken: '' });
    });
    expect(requestsTo(requests, '/sleep/dataPoints:reconcile').map(({ query }) => query?.['pageToken'])).toEqual([
      undefined,
      'p2',
    ]);
    expect(requestsTo(requests, '/heart-rate/dataPoints:rollUp')[1]?.json).toMatchObject({ pageToken: 'p3' });
    expect(result.filter(({ resource }) => resource === 'sleep')).toHaveLength(2);
  });

  test('requests the heart rate during each workout of these days, and labels it with the workout', () => {
    const exercise = (id: string, startTime: string, endTime: string) => ({
      dataPointName: `users/1/dataTypes/exercise/dataPoints/${id}`,
      exercise: { interval: { startTime, endTime, startUtcOffset: '3600s' } },
    });
    const { result, requests } = window(({ url }) =>
      url.endsWith('/exercise/dataPoints:reconcile')
        ? makeResponse({
            dataPoints: [
              exercise('77', '2026-03-05T17:00:00Z', '2026-03-05T17:45:00Z'),
              // Not on these days in this zone, though it may be in its own.
              exercise('78', '2026-03-07T00:10:00Z', '2026-03-07T00:40:00Z'),
              { exercise: { interval: 'never' } },
            ],
          })
        : empty,
    );
    expect(requestsTo(requests, '/heart-rate/dataPoints:reconcile')).toEqual([
      {
        method: 'GET',
        url: `${base}/heart-rate/dataPoints:reconcile`,
        query: {
          filter:
            'heart_rate.sample_time.physical_time >= "2026-03-05T17:00:00.000Z" AND heart_rate.sample_time.physical_time < "2026-03-05T17:45:00.000Z"',
          pageSize: '10000',
        },
      },
    ]);
    expect(result.filter(({ resource }) => resource === 'exercise-heart-rate')).toEqual([
      { resource: 'exercise-heart-rate', parameter: '77', text: '{}' },
    ]);
  });

  test('leaves out resources that were not consented to or do not exist, and reads the others', () => {
    const { result } = window(({ url }) => {
      if (url.includes('/nutrition-log/')) return apiError(403, 'PERMISSION_DENIED', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT');
      return url.includes('/vo2-max/') ? apiError(404, 'NOT_FOUND', 'NOT_FOUND') : empty;
    });
    const resources = result.map(({ resource }) => resource);
    expect(resources).not.toContain('nutrition-log');
    expect(resources).not.toContain('vo2-max');
    expect(resources).toEqual(expect.arrayContaining(['daily:steps', 'heart-rate', 'sleep', 'hydration-log']));
  });

  test('is empty for a user without a health profile, and requests nothing more', () => {
    const { result, requests } = window(() => apiError(400, 'FAILED_PRECONDITION', 'ACCOUNT_NOT_LINKED'));
    expect([result, requests.length]).toEqual([[], 1]);
  });

  test.each([
    ['a disabled API', apiError(403, 'PERMISSION_DENIED', 'SERVICE_DISABLED'), 403],
    ['an invalid filter', apiError(400, 'INVALID_ARGUMENT', 'INVALID_FILTER'), 400],
  ])('fails at %s', (_name, reply, status) => {
    expect(() => window(() => reply)).toThrow(`Google Health daily:steps: the provider answered ${status}`);
  });

  test('fails when pages never end', () => {
    expect(() => window(() => makeResponse({ nextPageToken: 'again' }))).toThrow('Google Health daily:steps');
  });
});

describe('a session that was only announced', () => {
  const locate = (reply: ProviderResponse, zone: string | null = null) =>
    runRequestFlow(
      googleHealthFetch.locate?.({ resource: 'sleep', id: '880' }, marchFetchRequest({ zone })) ?? none(),
      () => reply,
    );
  const none = () => {
    throw new Error('the adapter has no locate flow');
  };

  test('is looked up by name and located on the days of the user’s zone, regardless of its own offsets', () => {
    const { result, requests } = locate(
      makeResponse({
        name: 'users/1/dataTypes/sleep/dataPoints/880',
        sleep: {
          interval: {
            startTime: '2026-03-05T14:30:00Z',
            startUtcOffset: '-36000s',
            endTime: '2026-03-05T22:00:00Z',
            endUtcOffset: '-36000s',
          },
        },
      }),
      'Asia/Tokyo',
    );
    expect(requests).toEqual([{ method: 'GET', url: `${base}/sleep/dataPoints/880` }]);
    expect(result).toEqual({ from: '2026-03-05', to: '2026-03-06' });
  });

  test('is on no day when it does not exist or has no time', () => {
    expect(locate(makeResponse({}, 404)).result).toBeUndefined();
    expect(locate(makeResponse({ name: 'x/880', sleep: {} })).result).toBeUndefined();
    expect(() => locate(makeResponse({}, 409))).toThrow('Google Health sleep: the provider answered 409');
  });
});
