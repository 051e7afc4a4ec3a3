import { expect, test } from 'vitest';
import type { Asked } from '../../../../shared/providers/kit/adapter.ts';
import { Unexpected, type VendorReply, type VendorRequest } from '../../../../shared/providers/kit/vendor.ts';
import { suuntoFetch } from '../../../../shared/providers/suunto/fetch.ts';
import { replied, talked } from '../../../harness/vendor-talk.ts';

const asPath = ({ url, query }: VendorRequest): string =>
  `${new URL(url).pathname}${query ? `?${new URLSearchParams(Object.entries(query))}` : ''}`;

const asked: Asked = {
  from: '2026-05-12',
  to: '2026-05-13',
  zone: 'Europe/Helsinki',
  account: 'runner42',
  scopes: null,
  nowMs: Date.parse('2026-06-30T12:00:00Z'),
  credentials: { clientId: 'c', clientSecret: 's', more: {} },
};
const empty = (request: VendorRequest): VendorReply =>
  replied(request.url.includes('/v3/workouts') ? { error: null, payload: [], metadata: {} } : []);

test('a window asks for nights, activity, statistics and workouts, with days to spare', () => {
  const { result, requests } = talked(suuntoFetch.window(asked), empty);
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
  expect(talked(suuntoFetch.window({ ...asked, from: '2026-05-01', to: '2026-05-24' }), empty).requests).toHaveLength(
    4,
  );
  const { requests } = talked(suuntoFetch.window({ ...asked, from: '2026-04-15', to: '2026-05-24' }), empty);
  expect(requests.filter(({ url }) => url.endsWith('/sleep')).map(({ query }) => query)).toEqual([
    { from: '1776038400000', to: '1778457599999' },
    { from: '1778457600000', to: '1779839999999' },
  ]);
});

test('nothing is asked for that lies in the future', () => {
  const nowMs = Date.parse('2026-05-13T08:00:00Z');
  const { requests } = talked(suuntoFetch.window({ ...asked, nowMs }), empty);
  expect(requests[0]?.query?.['to']).toBe(String(nowMs + 86_400_000 - 1));
});

test('workouts come in pages until one is not full', () => {
  const full = Array.from({ length: 100 }, (_, at) => ({ workoutKey: `w${at}` }));
  const { result, requests } = talked(suuntoFetch.window(asked), (request) =>
    request.query?.['offset'] === '0' ? replied({ error: null, payload: full }) : empty(request),
  );
  expect(requests.flatMap(({ query }) => query?.['offset'] ?? [])).toEqual(['0', '100']);
  expect(result.filter(({ resource }) => resource === 'workouts')).toHaveLength(2);
});

test('a vendor that gives the same full page forever is not followed', () => {
  const full = Array.from({ length: 100 }, () => ({}));
  expect(() =>
    talked(suuntoFetch.window(asked), (request) =>
      request.url.includes('/v3/') ? replied({ error: null, payload: full }) : empty(request),
    ),
  ).toThrow(Unexpected);
});

test('statistics that are not found are asked for at their other address', () => {
  const { result, requests } = talked(suuntoFetch.window(asked), (request) =>
    request.url.includes('/247samples/daily') ? replied('', 404) : empty(request),
  );
  expect(requests.map(({ url }) => new URL(url).pathname)).toContain('/247/daily-activity-statistics');
  expect(result.map(({ resource }) => resource)).toEqual(['sleep', 'activity', 'statistics', 'workouts']);
});

test.each([403, 404])('what is refused with %s is left out, and the others are read', (status) => {
  const { result } = talked(suuntoFetch.window(asked), (request) =>
    /activity/.test(request.url) ? replied('', status) : empty(request),
  );
  expect(result.map(({ resource }) => resource)).toEqual(['sleep', 'workouts']);
});

test.each<[string, VendorReply]>([
  ['a status nobody knows', replied('', 418)],
  ['nights that are no list', replied({ error: 'x' })],
])('%s is unexpected', (_, reply) => {
  expect(() => talked(suuntoFetch.window(asked), () => reply)).toThrow(Unexpected);
});

test('an error beside workouts is unexpected', () => {
  expect(() =>
    talked(suuntoFetch.window(asked), (request) =>
      request.url.includes('/v3/') ? replied({ error: { code: '1' }, payload: [] }) : empty(request),
    ),
  ).toThrow(Unexpected);
});

const { from: _from, to: _to, ...who } = asked;

test("an announced workout is found on the days it lies on, in the person's zone", () => {
  const payload = {
    workoutKey: '6a01f3c2d4e5b60718293a4b',
    startTime: Date.parse('2026-05-12T23:30:00+03:00'),
    totalTime: 3600,
    timeOffsetInMinutes: -600,
  };
  const { result, requests } = talked(
    suuntoFetch.locate?.({ resource: 'workout', id: payload.workoutKey }, who) ?? noTalk(),
    () => replied({ error: null, payload }),
  );
  expect(result).toEqual({ from: '2026-05-12', to: '2026-05-13' });
  expect(requests.map(asPath)).toEqual(['/v3/workouts/6a01f3c2d4e5b60718293a4b']);
});

test('one that is not there yet, and a key that is none, are nowhere', () => {
  const located = (id: string) =>
    talked(suuntoFetch.locate?.({ resource: 'workout', id }, who) ?? noTalk(), () => replied('', 404));
  expect(located('abc')).toMatchObject({ result: undefined, requests: [{}] });
  expect(located('../token')).toEqual({ result: undefined, requests: [] });
});

function noTalk(): never {
  throw new Error('announced workouts are not looked for');
}
