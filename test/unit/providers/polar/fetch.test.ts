import { describe, expect, test } from 'vitest';
import type { FetchRequest } from '../../../../shared/providers/kit/adapter.ts';
import { UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { polarFetch } from '../../../../shared/providers/polar/fetch.ts';
import { testCredentials as credentials, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';
import { activity, exercise, exerciseInFull, physical } from './payloads.ts';

const fetchRequest: FetchRequest = {
  from: '2026-03-08',
  to: '2026-03-11',
  zone: 'Europe/Helsinki',
  account: '475',
  scopes: null,
  nowMs: Date.parse('2026-03-20T12:00:00Z'),
  credentials,
};
const api = 'https://www.polaraccesslink.com/v3';
const days = { from: '2026-03-07', to: '2026-03-12' };
const none = makeResponse('', 404);
const empty = makeResponse('', 204);
const pathOf = (url: string): string => url.slice(api.length);

describe('a window', () => {
  test('requests every resource once, with an extra day on either side where it takes days, and each workout with its trace', () => {
    const { requests: questions, result } = runRequestFlow(polarFetch.fetchWindow(fetchRequest), [
      makeResponse([activity]),
      none,
      none,
      none,
      makeResponse([
        exercise,
        { ...exercise, id: 'old', start_time: '2026-03-07T22:57:00' },
        { ...exercise, id: 'past-midnight', start_time: '2026-03-07T23:59:00' },
        { id: '../x' },
      ]),
      makeResponse(exerciseInFull),
      makeResponse({ ...exerciseInFull, id: 'past-midnight' }),
      empty,
      empty,
      empty,
    ]);
    expect(questions.map(({ method, url, query }) => [method, pathOf(url), query])).toEqual([
      ['GET', '/users/activities', days],
      ['GET', '/users/sleep', undefined],
      ['GET', '/users/nightly-recharge', undefined],
      ['GET', '/users/continuous-heart-rate', days],
      ['GET', '/exercises', undefined],
      ['GET', '/exercises/k3Zq9w', { samples: 'true' }],
      ['GET', '/exercises/past-midnight', { samples: 'true' }],
      ['GET', '/users/biosensing/spo2', days],
      ['GET', '/users/biosensing/bodytemperature', days],
      ['GET', '/users/biosensing/skintemperature', days],
    ]);
    expect(result.map(({ resource, parameter, text }) => [resource, parameter, text === ''])).toEqual([
      ['activities', undefined, false],
      ['sleep', undefined, true],
      ['recharge', undefined, true],
      ['heart_rate', undefined, true],
      ['exercises', undefined, false],
      ['exercise', 'k3Zq9w', false],
      ['exercise', 'past-midnight', false],
      ['spo2', undefined, true],
      ['body_temperature', undefined, true],
      ['skin_temperature', undefined, true],
    ]);
    expect(result[5]?.text).toBe(JSON.stringify(exerciseInFull));
  });

  test('leaves out resources that the user has not allowed', () => {
    const { result } = runRequestFlow(polarFetch.fetchWindow(fetchRequest), ({ url }) =>
      url.endsWith('/users/sleep') ? makeResponse('', 403) : empty,
    );
    expect(result.map(({ resource }) => resource)).toEqual([
      'activities',
      'recharge',
      'heart_rate',
      'exercises',
      'spo2',
      'body_temperature',
      'skin_temperature',
    ]);
  });

  test.each([400, 401, 418])('fails on %i', (status) => {
    expect(() => runRequestFlow(polarFetch.fetchWindow(fetchRequest), () => makeResponse('', status))).toThrow(
      UnexpectedResponse,
    );
  });

  test('requests no date that has not begun anywhere, and no more than 28 days', () => {
    const today = { ...fetchRequest, from: '2026-03-17', to: '2026-03-20', nowMs: Date.parse('2026-03-20T08:00:00Z') };
    const { requests: questions } = runRequestFlow(polarFetch.fetchWindow(today), () => empty);
    expect(questions[0]?.query).toEqual({ from: '2026-03-16', to: '2026-03-20' });
    const later = { ...today, nowMs: Date.parse('2026-03-20T11:00:00Z') };
    expect(runRequestFlow(polarFetch.fetchWindow(later), () => empty).requests[0]?.query).toEqual({
      from: '2026-03-16',
      to: '2026-03-21',
    });
  });

  test('requests only the traces of its own days', () => {
    const on = (id: string, day: string) => ({ ...exercise, id, start_time: `${day}T17:20:05` });
    const listed = [on('before', '2026-03-07'), on('within', '2026-03-10'), on('after', '2026-03-12')];
    const { requests: questions } = runRequestFlow(polarFetch.fetchWindow(fetchRequest), ({ url }) =>
      url.endsWith('/exercises') ? makeResponse(listed) : empty,
    );
    expect(questions.map(({ url }) => pathOf(url)).filter((path) => path.startsWith('/exercises/'))).toEqual([
      '/exercises/within',
    ]);
  });

  test('covers every date that the watch may have shown, wherever it was', () => {
    const from = (zone: string) =>
      runRequestFlow(polarFetch.fetchWindow({ ...fetchRequest, zone }), () => empty).requests[0]?.query;
    expect(from('America/New_York')).toEqual(days);
    expect(from('Pacific/Auckland')).toEqual({ ...days, from: '2026-03-06' });
  });

  test('requests the traces of at most 25 workouts', () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ ...exercise, id: `w${at}` }));
    const { requests: questions } = runRequestFlow(polarFetch.fetchWindow(fetchRequest), ({ url }) =>
      url.endsWith('/exercises') ? makeResponse(many) : empty,
    );
    expect(questions.filter(({ url }) => url.includes('/exercises/'))).toHaveLength(25);
  });
});

describe('physical information', () => {
  const latest = { ...fetchRequest, from: '2026-03-17', to: '2026-03-20' };
  const root = `${api}/users/475/physical-information-transactions`;
  const listed = (...ids: number[]) => ({
    'physical-informations': ids.map((id) => `${root}/122/physical-informations/${id}`),
  });

  test('comes with the latest days as the last three entries, and nothing is committed', () => {
    const { requests: questions, result } = runRequestFlow(polarFetch.fetchWindow(latest), ({ method, url }) => {
      if (url === root) return makeResponse({ 'transaction-id': 122, 'resource-uri': `${root}/122` }, 201);
      if (url === `${root}/122`) return makeResponse(listed(9, 56, 100, 57));
      return url.startsWith(root) && method === 'GET' ? makeResponse(physical) : empty;
    });
    expect(questions.filter(({ url }) => url.startsWith(root)).map(({ method, url }) => [method, url])).toEqual([
      ['POST', root],
      ['GET', `${root}/122`],
      ['GET', `${root}/122/physical-informations/56`],
      ['GET', `${root}/122/physical-informations/57`],
      ['GET', `${root}/122/physical-informations/100`],
    ]);
    expect(result.slice(-3)).toMatchObject([
      { resource: 'physical', parameter: '56' },
      { parameter: '57' },
      { parameter: '100' },
    ]);
  });

  test.each([204, 403, 404, 409])('is empty when the transaction is answered with %i', (status) => {
    const { result } = runRequestFlow(polarFetch.fetchWindow(latest), ({ method }) =>
      method === 'POST' ? makeResponse('', status) : empty,
    );
    expect(result.some(({ resource }) => resource === 'physical')).toBe(false);
  });

  test('that is unreadable fails', () => {
    expect(() =>
      runRequestFlow(polarFetch.fetchWindow(latest), ({ method }) =>
        method === 'POST' ? makeResponse({}, 201) : empty,
      ),
    ).toThrow(UnexpectedResponse);
  });
});

describe('an announced workout', () => {
  const { nowMs, zone, account, scopes } = fetchRequest;
  const locate = (id: string, resource = 'exercise') =>
    polarFetch.locate?.({ resource, id }, { nowMs, zone, account, scopes, credentials }) ?? expect.unreachable();

  test("is on the days of its start and its end in the user's zone", () => {
    const { requests: questions, result } = runRequestFlow(locate('k3Zq9w'), [
      makeResponse({ ...exercise, start_time: '2026-03-11T23:50:00' }),
    ]);
    expect(questions[0]?.url).toBe(`${api}/exercises/k3Zq9w`);
    expect(result).toEqual({ from: '2026-03-11', to: '2026-03-12' });
    // In New York, at a time when it is already the next morning in Helsinki.
    const abroad = { ...exercise, start_time: '2026-03-11T23:50:00', start_time_utc_offset: -240 };
    expect(runRequestFlow(locate('k3Zq9w'), [makeResponse(abroad)]).result).toEqual({
      from: '2026-03-12',
      to: '2026-03-12',
    });
    expect(runRequestFlow(locate('k3Zq9w'), [makeResponse(exercise)]).result).toEqual({
      from: '2026-03-11',
      to: '2026-03-11',
    });
  });

  test('that does not exist has no location', () => {
    expect(runRequestFlow(locate('a'), [none]).result).toBeUndefined();
    expect(() => runRequestFlow(locate('a'), [makeResponse({})])).toThrow(UnexpectedResponse);
  });

  test('is never requested by an invalid id', () => {
    expect(runRequestFlow(locate('../users'), []).result).toBeUndefined();
    expect(runRequestFlow(locate('k3Zq9w', 'sleep'), []).result).toBeUndefined();
  });
});
