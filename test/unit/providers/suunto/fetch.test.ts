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

const fetchRequest: FetchRequest = {
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

test('a window requests nights, activity, statistics and workouts, with extra days', () => {
  const { result, requests } = runRequestFlow(suuntoFetch.fetchWindow(fetchRequest), empty);
  // From 10 May 00:00Z to 15 May 24:00Z. Statistics run from midnight to midnight in Helsinki
  // (+03:00).
  expect(requests.map(asPath)).toEqual([
    '/247samples/sleep?from=1778371200000&to=1778889599999',
    '/247samples/activity?from=1778371200000&to=1778889599999',
    '/247samples/daily-activity-statistics?startdate=2026-05-10T21%3A00%3A00&enddate=2026-05-14T21%3A00%3A00',
    '/v3/workouts/?since=1778371200000&until=1778889599999&limit=100&offset=0&filter-by-modification-time=false',
  ]);
  expect(result).toEqual([
    { resource: 'sleep', text: '[]' },
    { resource: 'activity', text: '[]' },
    { resource: 'statistics', text: '[]', parameter: 'Europe/Helsinki' },
    { resource: 'workouts', text: '{"error":null,"payload":[],"metadata":{}}' },
  ]);
});

test('24 days take one call of each kind, and more are split into ranges of 28 that neither overlap nor leave a gap', () => {
  expect(
    runRequestFlow(suuntoFetch.fetchWindow({ ...fetchRequest, from: '2026-05-01', to: '2026-05-24' }), empty).requests,
  ).toHaveLength(4);
  const { requests } = runRequestFlow(
    suuntoFetch.fetchWindow({ ...fetchRequest, from: '2026-04-15', to: '2026-05-24' }),
    empty,
  );
  expect(requests.filter(({ url }) => url.endsWith('/sleep')).map(({ query }) => query)).toEqual([
    { from: '1776038400000', to: '1778457599999' },
    { from: '1778457600000', to: '1779839999999' },
  ]);
});

test('nothing in the future is requested', () => {
  const nowMs = Date.parse('2026-05-13T08:00:00Z');
  const { requests } = runRequestFlow(suuntoFetch.fetchWindow({ ...fetchRequest, nowMs }), empty);
  expect(requests[0]?.query?.['to']).toBe(String(nowMs + 86_400_000 - 1));
});

test('workouts are read in pages until one is not full', () => {
  const full = Array.from({ length: 100 }, (_, at) => ({ workoutKey: `w${at}` }));
  const { result, requests } = runRequestFlow(suuntoFetch.fetchWindow(fetchRequest), (request) =>
    request.query?.['offset'] === '0' ? makeResponse({ error: null, payload: full }) : empty(request),
  );
  expect(requests.flatMap(({ query }) => query?.['offset'] ?? [])).toEqual(['0', '100']);
  expect(result.filter(({ resource }) => resource === 'workouts')).toHaveLength(2);
});

test('a full page that repeats forever is not followed', () => {
  const full = Array.from({ length: 100 }, () => ({}));
  expect(() =>
    runRequestFlow(suuntoFetch.fetchWindow(fetchRequest), (request) =>
      request.url.includes('/v3/') ? makeResponse({ error: null, payload: full }) : empty(request),
    ),
  ).toThrow(UnexpectedResponse);
});

test('statistics that are not found are requested at their other URL', () => {
  const { result, requests } = runRequestFlow(suuntoFetch.fetchWindow(fetchRequest), (request) =>
    request.url.includes('/247samples/daily') ? makeResponse('', 404) : empty(request),
  );
  expect(requests.map(({ url }) => new URL(url).pathname)).toContain('/247/daily-activity-statistics');
  expect(result.map(({ resource }) => resource)).toEqual(['sleep', 'activity', 'statistics', 'workouts']);
});

test.each([403, 404])('resources refused with %s are left out, and the others are read', (status) => {
  const { result } = runRequestFlow(suuntoFetch.fetchWindow(fetchRequest), (request) =>
    /activity/.test(request.url) ? makeResponse('', status) : empty(request),
  );
  expect(result.map(({ resource }) => resource)).toEqual(['sleep', 'workouts']);
});

test.each<[string, ProviderResponse]>([
  ['an unknown status', makeResponse('', 418)],
  ['nights that are not a list', makeResponse({ error: 'x' })],
])('%s is unexpected', (_, reply) => {
  expect(() => runRequestFlow(suuntoFetch.fetchWindow(fetchRequest), () => reply)).toThrow(UnexpectedResponse);
});

test('an error next to workouts is unexpected', () => {
  expect(() =>
    runRequestFlow(suuntoFetch.fetchWindow(fetchRequest), (request) =>
      request.url.includes('/v3/') ? makeResponse({ error: { code: '1' }, payload: [] }) : empty(request),
    ),
  ).toThrow(UnexpectedResponse);
});

const { from: _from, to: _to, ...who } = fetchRequest;

test("an announced workout is located on its days in the user's zone", () => {
  const payload = {
    workoutKey: '6a01f3c2d4e5b60718293a4b',
    startTime: Date.parse('2026-05-12T23:30:00+03:00'),
    totalTime: 3600,
    timeOffsetInMinutes: -600,
  };
  const { result, requests } = runRequestFlow(
    suuntoFetch.locate?.({ resource: 'workout', id: payload.workoutKey }, who) ?? failWithoutFlow(),
    () => makeResponse({ error: null, payload }),
  );
  expect(result).toEqual({ from: '2026-05-12', to: '2026-05-13' });
  expect(requests.map(asPath)).toEqual(['/v3/workouts/6a01f3c2d4e5b60718293a4b']);
});

test('a missing workout and an invalid key have no location', () => {
  const located = (id: string) =>
    runRequestFlow(suuntoFetch.locate?.({ resource: 'workout', id }, who) ?? failWithoutFlow(), () =>
      makeResponse('', 404),
    );
  expect(located('abc')).toMatchObject({ result: undefined, requests: [{}] });
  expect(located('../token')).toEqual({ result: undefined, requests: [] });
});

function failWithoutFlow(): never {
  throw new Error('the adapter has no locate flow');
}
