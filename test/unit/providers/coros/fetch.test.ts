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
const asked = (from: string, to: string) => makeFetchRequest({ from, to }, { nowMs });
const answer = ({ url }: ProviderRequest): ProviderResponse =>
  makeResponse(url.includes('/sport/') ? '{"result":"0000","data":[]}' : '{"result":"0000","data":{"dailyList":[]}}');
const shown = ({ url, query }: ProviderRequest) => [new URL(url).pathname, query?.['startDate'], query?.['endDate']];

test('a window asks for workouts and days, with two days more on either side', () => {
  const { result, requests } = runRequestFlow(corosFetch.fetchWindow(asked('2026-02-20', '2026-03-01')), answer);
  expect(requests.map(shown)).toEqual([
    ['/v2/coros/sport/list', '20260218', '20260303'],
    ['/coros/daily/query', '20260218', '20260303'],
  ]);
  expect(result).toEqual([
    { resource: 'sport', text: '{"result":"0000","data":[]}', of: '2026-02-18' },
    { resource: 'daily', text: '{"result":"0000","data":{"dailyList":[]}}', of: '2026-02-18' },
  ]);
});

test('as many days as a sync asks for are one call of each kind, and more are cut so that none has over 30', () => {
  expect(coros.sync.windowDays).toBe(26);
  expect(runRequestFlow(corosFetch.fetchWindow(asked('2026-02-01', '2026-02-26')), answer).requests).toHaveLength(2);
  const { requests } = runRequestFlow(corosFetch.fetchWindow(asked('2026-02-01', '2026-03-05')), answer);
  expect(requests.map(shown).slice(0, 2)).toEqual([
    ['/v2/coros/sport/list', '20260130', '20260228'],
    ['/v2/coros/sport/list', '20260301', '20260307'],
  ]);
});

test('nothing is asked for that is older than three months or has not begun anywhere', () => {
  // 88 days before 31 March is 2 January.
  expect(
    runRequestFlow(corosFetch.fetchWindow(asked('2025-12-20', '2026-01-10')), answer).requests.map(shown)[0],
  ).toEqual(['/v2/coros/sport/list', '20260102', '20260112']);
  expect(runRequestFlow(corosFetch.fetchWindow(asked('2025-11-01', '2025-11-20')), answer)).toEqual({
    result: [],
    requests: [],
  });
  // Noon in UTC: it is 2 a.m. on 1 April at +14:00.
  expect(
    runRequestFlow(corosFetch.fetchWindow(asked('2026-03-30', '2026-04-20')), answer).requests.map(shown)[0],
  ).toEqual(['/v2/coros/sport/list', '20260328', '20260401']);
});

test.each<[string, ProviderResponse]>([
  ['403', makeResponse('', 403)],
  ['404', makeResponse('', 404)],
  ['a result that is none of ours', makeResponse({ result: '1003', message: 'no permission', data: null })],
  ['data that is nothing', makeResponse({ result: '0000', data: null })],
])('what is refused (%s) is left out, and the other is read', (_, refusal) => {
  const { result } = runRequestFlow(corosFetch.fetchWindow(asked('2026-03-01', '2026-03-03')), (request) =>
    request.url.includes('/daily/') ? refusal : answer(request),
  );
  expect(result.map(({ resource }) => resource)).toEqual(['sport']);
});

test.each<[string, ProviderResponse]>([
  ['both refused', makeResponse({ result: '5010', data: null })],
  ['a status nobody knows', makeResponse('', 418)],
  ['no JSON', makeResponse('<html>')],
])('%s is unexpected', (_, reply) => {
  expect(() => runRequestFlow(corosFetch.fetchWindow(asked('2026-03-01', '2026-03-03')), () => reply)).toThrow(
    UnexpectedResponse,
  );
});
