import { expect, test } from 'vitest';
import { coros } from '../../../../shared/providers/coros/descriptor.ts';
import { corosFetch } from '../../../../shared/providers/coros/fetch.ts';
import {
  type ProviderRequest,
  type ProviderResponse,
  UnexpectedResponse,
} from '../../../../shared/providers/kit/request-flow.ts';
import { makeFetchRequest, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const nowMs = Date.parse('2026-03-31T12:00:00Z');
const requestFor = (from: string, to: string) => makeFetchRequest({ from, to }, { nowMs });
const answer = ({ url }: ProviderRequest): ProviderResponse =>
  makeResponse(url.includes('/sport/') ? '{"result":"0000","data":[]}' : '{"result":"0000","data":{"dailyList":[]}}');
const shown = ({ url, query }: ProviderRequest) => [new URL(url).pathname, query?.['startDate'], query?.['endDate']];

test('a window requests workouts and days, with two extra days on either side', () => {
  const { result, requests } = runRequestFlow(corosFetch.fetchWindow(requestFor('2026-02-20', '2026-03-01')), answer);
  expect(requests.map(shown)).toEqual([
    ['/v2/coros/sport/list', '20260218', '20260303'],
    ['/coros/daily/query', '20260218', '20260303'],
  ]);
  expect(result).toEqual([
    { resource: 'sport', text: '{"result":"0000","data":[]}', parameter: '2026-02-18' },
    { resource: 'daily', text: '{"result":"0000","data":{"dailyList":[]}}', parameter: '2026-02-18' },
  ]);
});

test('the days of one sync take one call of each kind, and longer ranges are split so that no call exceeds 30 days', () => {
  expect(coros.sync.windowDays).toBe(26);
  expect(runRequestFlow(corosFetch.fetchWindow(requestFor('2026-02-01', '2026-02-26')), answer).requests).toHaveLength(
    2,
  );
  const { requests } = runRequestFlow(corosFetch.fetchWindow(requestFor('2026-02-01', '2026-03-05')), answer);
  expect(requests.map(shown).slice(0, 2)).toEqual([
    ['/v2/coros/sport/list', '20260130', '20260228'],
    ['/v2/coros/sport/list', '20260301', '20260307'],
  ]);
});

test('a request covers no day older than three months and no day that has not begun in any time zone', () => {
  // 2 January is 88 days before 31 March.
  expect(
    runRequestFlow(corosFetch.fetchWindow(requestFor('2025-12-20', '2026-01-10')), answer).requests.map(shown)[0],
  ).toEqual(['/v2/coros/sport/list', '20260102', '20260112']);
  expect(runRequestFlow(corosFetch.fetchWindow(requestFor('2025-11-01', '2025-11-20')), answer)).toEqual({
    result: [],
    requests: [],
  });
  // It is noon in UTC, and 2 a.m. on 1 April at +14:00.
  expect(
    runRequestFlow(corosFetch.fetchWindow(requestFor('2026-03-30', '2026-04-20')), answer).requests.map(shown)[0],
  ).toEqual(['/v2/coros/sport/list', '20260328', '20260401']);
});

test.each<[string, ProviderResponse]>([
  ['403', makeResponse('', 403)],
  ['404', makeResponse('', 404)],
  ['an unknown result code', makeResponse({ result: '1003', message: 'no permission', data: null })],
  ['data that is null', makeResponse({ result: '0000', data: null })],
])('a refused resource (%s) is left out, and the other is read', (_, refusal) => {
  const { result } = runRequestFlow(corosFetch.fetchWindow(requestFor('2026-03-01', '2026-03-03')), (request) =>
    request.url.includes('/daily/') ? refusal : answer(request),
  );
  expect(result.map(({ resource }) => resource)).toEqual(['sport']);
});

test.each<[string, ProviderResponse]>([
  ['a refusal of both', makeResponse({ result: '5010', data: null })],
  ['an unknown status', makeResponse('', 418)],
  ['a body that is not JSON', makeResponse('<html>')],
])('%s is unexpected', (_, reply) => {
  expect(() => runRequestFlow(corosFetch.fetchWindow(requestFor('2026-03-01', '2026-03-03')), () => reply)).toThrow(
    UnexpectedResponse,
  );
});
