import { expect, test } from 'vitest';
import type { FetchRequest } from '../../../../shared/providers/kit/adapter.ts';
import {
  type ProviderRequest,
  type ProviderResponse,
  UnexpectedResponse,
} from '../../../../shared/providers/kit/request-flow.ts';
import { suuntoFetch } from '../../../../shared/providers/suunto/fetch.ts';
import { makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const asPath = ({ url, query }: ProviderRequest): string =>
  `${new URL(url).pathname}${query ? `?${new URLSearchParams(Object.entries(query))}` : ''}`;

const asked: FetchRequest = {
  from: '2026-05-12',
  to: '2026-05-13',
  zone: 'Europe/Helsinki',
  account: 'runner42',
  scopes: null,
  nowMs: Date.parse('2026-06-30T12:00:00Z'),
  credentials: { clientId: 'c', clientSecret: 's', more: {} },
};
const empty = (request: ProviderRequest): ProviderResponse =>
  makeResponse(request.url.includes('/v3/workouts') ? { error: null, payload: [], metadata: {} } : []);

test('a window asks for nights, activity, statistics and workouts, with days to spare', () => {
  const { result, requests } = runRequestFlow(suuntoFetch.fetchWindow(asked), empty);
  // 10 May 00:00Z to 15 May 24:00Z; statistics from midnight to midnight in Helsinki (+03:00).
  expect(requests.map(asPath)).toEqual([
    '/247samples/sleep?from=1778371200000&to=1778889599999',
    '/247samples/activity?from=1778371200000&to=1778889599999',
    '/247samples/daily-activity-statistics?startdate=2026-05-10T21%3A00%3A00&enddate=2026-05-14T21%3A00%3A00',
    '/v3/workouts/?since=1778371200000&until=1778889599999&limit=100&offset=0&filter-by-modification-time=false',
  ]);
  expect(result).toEqual([
    { resource: 'sleep', text: '[]' },
    { resource: 'activity', text: '[]' },
    { resource: 'statistics', text: '[]', of: 'Europe/Helsinki' },
    { resource: 'workouts', text: '{"error":null,"payload":[],"metadata":{}}' },
  ]);
});

test('24 days are asked for in one call of each kind, and more in pieces of 28 that neither overlap nor leave a gap', () => {
  expect(
    runRequestFlow(suuntoFetch.fetchWindow({ ...asked, from: '2026-05-01', to: '2026-05-24' }), empty).requests,
  ).toHaveLength(4);
  const { requests } = runRequestFlow(
    suuntoFetch.fetchWindow({ ...asked, from: '2026-04-15', to: '2026-05-24' }),
    empty,
  );
  expect(requests.filter(({ url }) => url.endsWith('/sleep')).map(({ query }) => query)).toEqual([
    { from: '1776038400000', to: '1778457599999' },
    { from: '1778457600000', to: '1779839999999' },
  ]);
});

test('nothing is asked for that lies in the future', () => {
  const nowMs = Date.parse('2026-05-13T08:00:00Z');
  const { requests } = runRequestFlow(suuntoFetch.fetchWindow({ ...asked, nowMs }), empty);
  expect(requests[0]?.query?.['to']).toBe(String(nowMs + 86_400_000 - 1));
});

test('workouts come in pages until one is not full', () => {
  const full = Array.from({ length: 100 }, (_, at) => ({ workoutKey: `w${at}` }));
  const { result, requests } = runRequestFlow(suuntoFetch.fetchWindow(asked), (request) =>
    request.query?.['offset'] === '0' ? makeResponse({ error: null, payload: full }) : empty(request),
  );
  expect(requests.flatMap(({ query }) => query?.['offset'] ?? [])).toEqual(['0', '100']);
  expect(result.filter(({ resource }) => resource === 'workouts')).toHaveLength(2);
});

test('a vendor that gives the same full page forever is not followed', () => {
  const full = Array.from({ length: 100 }, () => ({}));
  expect(() =>
    runRequestFlow(suuntoFetch.fetchWindow(asked), (request) =>
      request.url.includes('/v3/') ? makeResponse({ error: null, payload: full }) : empty(request),
    ),
  ).toThrow(UnexpectedResponse);
});

test('statistics that are not found are asked for at their other address', () => {
  const { result, requests } = runRequestFlow(suuntoFetch.fetchWindow(asked), (request) =>
    request.url.includes('/247samples/daily') ? makeResponse('', 404) : empty(request),
  );
  expect(requests.map(({ url }) => new URL(url).pathname)).toContain('/247/daily-activity-statistics');
  expect(result.map(({ resource }) => resource)).toEqual(['sleep', 'activity', 'statistics', 'workouts']);
});

test.each([403, 404])('what is refused with %s is left out, and the others are read', (status) => {
  const { result } = runRequestFlow(suuntoFetch.fetchWindow(asked), (request) =>
    /activity/.test(request.url) ? makeResponse('', status) : empty(request),
  );
  expect(result.map(({ resource }) => resource)).toEqual(['sleep', 'workouts']);
});

test.each<[string, ProviderResponse]>([
  ['a status nobody knows', makeResponse('', 418)],
  ['nights that are no list', makeResponse({ error: 'x' })],
])('%s is unexpected', (_, reply) => {
  expect(() => runRequestFlow(suuntoFetch.fetchWindow(asked), () => reply)).toThrow(UnexpectedResponse);
});

test('an error beside workouts is unexpected', () => {
  expect(() =>
    runRequestFlow(suuntoFetch.fetchWindow(asked), (request) =>
      request.url.includes('/v3/') ? makeResponse({ error: { code: '1' }, payload: [] }) : empty(request),
    ),
  ).toThrow(UnexpectedResponse);
});

const { from: _from, to: _to, ...who } = asked;

test("an announced workout is found on the days it lies on, in the person's zone", () => {
  const payload = {
    workoutKey: '6a01f3c2d4e5b60718293a4b',
    startTime: Date.parse('2026-05-12T23:30:00+03:00'),
    totalTime: 3600,
    timeOffsetInMinutes: -600,
  };
  const { result, requests } = runRequestFlow(
    suuntoFetch.locate?.({ resource: 'workout', id: payload.workoutKey }, who) ?? noTalk(),
    () => makeResponse({ error: null, payload }),
  );
  expect(result).toEqual({ from: '2026-05-12', to: '2026-05-13' });
  expect(requests.map(asPath)).toEqual(['/v3/workouts/6a01f3c2d4e5b60718293a4b']);
});

test('one that is not there yet, and a key that is none, are nowhere', () => {
  const located = (id: string) =>
    runRequestFlow(suuntoFetch.locate?.({ resource: 'workout', id }, who) ?? noTalk(), () => makeResponse('', 404));
  expect(located('abc')).toMatchObject({ result: undefined, requests: [{}] });
  expect(located('../token')).toEqual({ result: undefined, requests: [] });
});

function noTalk(): never {
  throw new Error('announced workouts are not looked for');
}
