import { describe, expect, test } from 'vitest';
import type { ProviderRequest, ProviderResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { withingsFetch } from '../../../../shared/providers/withings/fetch.ts';
import { withingsSubscriptions } from '../../../../shared/providers/withings/subscriptions.ts';
import { makeResponse, runRequestFlow, testCredentials } from '../../../harness/request-flow.ts';
import { marchFetchRequest } from '../kit/march-requests.ts';

const empty = makeResponse({ status: 0, body: { more: false, offset: 0 } });
const window = (
  answer: (request: ProviderRequest) => ProviderResponse,
  more: Parameters<typeof marchFetchRequest>[0] = {},
) => runRequestFlow(withingsFetch.fetchWindow(marchFetchRequest(more)), answer);
const action = ({ form }: ProviderRequest) => form?.['action'];
const resources = (pages: readonly { resource: string }[]) => pages.map(({ resource }) => resource);

describe('a window', () => {
  test('requests four lists with two extra days on either side, and every UTC day that overlaps it', () => {
    const { requests } = window(() => empty);
    expect(requests.map(({ method, url, form }) => [method, url, form?.['action']])).toEqual([
      ['POST', 'https://wbsapi.withings.net/v2/measure', 'getactivity'],
      ['POST', 'https://wbsapi.withings.net/v2/sleep', 'getsummary'],
      ['POST', 'https://wbsapi.withings.net/v2/measure', 'getworkouts'],
      ['POST', 'https://wbsapi.withings.net/measure', 'getmeas'],
      ...Array(2).fill(['POST', 'https://wbsapi.withings.net/v2/measure', 'getintradayactivity']),
    ]);
    const [activity, sleep, workouts, measures, ...intraday] = requests.map(({ form }) => form);
    for (const list of [activity, sleep, workouts])
      expect(list).toMatchObject({ startdateymd: '2026-03-03', enddateymd: '2026-03-08' });
    for (const list of requests) expect(list.form).not.toHaveProperty('lastupdate');
    expect(activity?.['data_fields']?.split(',')).toContain('totalcalories');
    expect(sleep?.['data_fields']?.split(',')).toContain('total_sleep_time');
    // 2026-03-03 and 2026-03-09, 00:00 UTC.
    expect(measures).toMatchObject({ startdate: '1772496000', enddate: '1773014400', category: '1' });
    expect(measures?.['meastypes']?.split(',')).not.toContain('12');
    expect(intraday.map((form) => [form?.['startdate'], form?.['enddate']])).toEqual([
      ['1772668800', '1772755200'],
      ['1772755200', '1772841600'],
    ]);
  });

  test.each([
    ['Europe/Paris', ['2026-03-04', '2026-03-05', '2026-03-06']],
    ['Pacific/Auckland', ['2026-03-04', '2026-03-05', '2026-03-06']],
    ['America/New_York', ['2026-03-05', '2026-03-06', '2026-03-07']],
  ])('of a user in %s requests the intraday values of %j', (zone, dates) => {
    const { result } = window(() => empty, { zone });
    expect(result.flatMap(({ parameter }) => parameter ?? [])).toEqual(dates);
  });

  test('follows the pages, with `more` as true or 1', () => {
    const { result, requests } = window((request) => {
      const page = Number(request.form?.['offset'] ?? 0);
      if (action(request) === 'getsummary' && page < 600)
        return makeResponse({ status: 0, body: { series: [], more: true, offset: page + 300 } });
      if (action(request) === 'getmeas' && page === 0)
        return makeResponse({ status: 0, body: { measuregrps: [], more: 1, offset: 44 } });
      return empty;
    });
    expect(requests.filter((each) => action(each) === 'getsummary').map(({ form }) => form?.['offset'])).toEqual([
      undefined,
      '300',
      '600',
    ]);
    expect(requests.filter((each) => action(each) === 'getmeas').map(({ form }) => form?.['offset'])).toEqual([
      undefined,
      '44',
    ]);
    expect(resources(result)).toEqual(
      ['activity', 'sleep', 'sleep', 'sleep', 'workouts', 'measures', 'measures'].concat(Array(2).fill('intraday')),
    );
  });

  test('of last year requests no intraday values, and one that crosses the limit of a month only those within it', () => {
    const old = window(() => empty, { from: '2025-06-01', to: '2025-06-30' });
    expect(resources(old.result)).toEqual(['activity', 'sleep', 'workouts', 'measures']);
    // The oldest day is 2026-02-05, thirty days before.
    const edge = window(() => empty, { from: '2026-01-10', to: '2026-02-08' });
    expect(edge.result.flatMap(({ parameter }) => parameter ?? [])).toEqual([
      '2026-02-05',
      '2026-02-06',
      '2026-02-07',
      '2026-02-08',
    ]);
  });

  test('requests no day that has not begun', () => {
    const { result } = window(() => empty, { from: '2026-03-07', to: '2026-03-09' });
    expect(result.flatMap(({ parameter }) => parameter ?? [])).toEqual(['2026-03-07']);
  });

  test.each([214, 277, 2553, 2554, 2555])(
    'leaves out forbidden resources (status %i), and reads the others',
    (status) => {
      const { result } = window((request) =>
        ['getworkouts', 'getintradayactivity'].includes(action(request) ?? '')
          ? makeResponse({ status, body: {}, error: 'not allowed' })
          : empty,
      );
      expect(resources(result)).toEqual(['activity', 'sleep', 'measures']);
    },
  );

  test('does not request resources that the user has not allowed', () => {
    expect(resources(window(() => empty, { scopes: ['user.metrics'] }).result)).toEqual(['measures']);
    expect(resources(window(() => empty, { scopes: ['user.activity'] }).result)).not.toContain('measures');
  });

  test.each([
    ['an unknown status', makeResponse({ status: 9999, body: {} }), 'Withings activity: the provider answered 9999'],
    ['a body that is not JSON', makeResponse('<html>'), 'Withings activity: the provider answered 200'],
    [
      'pages that do not advance',
      makeResponse({ status: 0, body: { more: true, offset: 5 } }),
      'Withings activity without an end',
    ],
  ])('fails at %s', (_name, reply, message) => {
    expect(() => window(() => reply)).toThrow(message);
  });
});

describe('user subscriptions', () => {
  const callbackUrl = 'https://daybook.example/v1/providers/withings/push/s';
  const nowMs = 1_000_000;
  const subscribe = (answer: (request: ProviderRequest, at: number) => ProviderResponse) =>
    runRequestFlow(
      withingsSubscriptions.ensureForUser?.({
        credentials: testCredentials,
        callbackUrl,
        verificationToken: 'v',
        known: undefined,
        nowMs,
        account: '12345',
      }) ?? never(),
      answer,
    );
  const never = () => {
    throw new Error('the adapter has no user subscriptions');
  };

  test('are created when missing at this URL, and checked again a day later', () => {
    const profiles = [
      { appli: 1, callbackurl: callbackUrl, expires: 2147483647 },
      { appli: 44, callbackurl: 'https://elsewhere.example', expires: 2147483647 },
    ];
    const { result, requests } = subscribe((request) =>
      makeResponse({ status: 0, body: action(request) === 'list' ? { profiles } : {} }),
    );
    expect(requests.map(({ url, form }) => [url, form?.['action'], form?.['appli'], form?.['callbackurl']])).toEqual([
      ['https://wbsapi.withings.net/notify', 'list', undefined, undefined],
      ...['2', '4', '16', '44', '46'].map((kind) => [
        'https://wbsapi.withings.net/notify',
        'subscribe',
        kind,
        callbackUrl,
      ]),
    ]);
    expect(result).toEqual({ renewMs: nowMs + 86_400_000 });
  });

  test('that were refused halfway are created a minute later', () => {
    const { result, requests } = subscribe((_request, at) =>
      at < 2 ? makeResponse({ status: 0, body: {} }) : makeResponse({ status: 293, body: {} }),
    );
    expect(requests).toHaveLength(3);
    expect(result).toEqual({ renewMs: nowMs + 60_000 });
  });

  test('that were all refused fail, and one that is not allowed is left out', () => {
    expect(() =>
      subscribe((request) => makeResponse({ status: action(request) === 'list' ? 0 : 293, body: {} })),
    ).toThrow('Withings subscription: the provider answered 293');
    const { result } = subscribe((request) =>
      makeResponse({ status: request.form?.['appli'] === '2' ? 277 : 0, body: {} }),
    );
    expect(result).toEqual({ renewMs: nowMs + 86_400_000 });
  });
});
