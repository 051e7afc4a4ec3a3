import { describe, expect, test } from 'vitest';
import { type ProviderRequest, UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { whoopFetch } from '../../../../shared/providers/whoop/fetch.ts';
import { makeFetchRequest, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const base = 'https://api.prod.whoop.com/developer';
const days = { from: '2026-03-05', to: '2026-03-06' };
const bounds = { start: '2026-03-04T00:00:00.000Z', end: '2026-03-07T00:00:00.000Z', limit: '25' };
const pathOf = ({ url }: ProviderRequest): string => url.slice(base.length);
const window = (answer: Parameters<typeof runRequestFlow>[1], scopes: readonly string[] | null = null) =>
  runRequestFlow(whoopFetch.fetchWindow(makeFetchRequest(days, { scopes })), answer);

describe('a window', () => {
  test('requests every list, 25 items per page, from a day before to the end of the days', () => {
    const { requests, result } = window(() => makeResponse({ records: [] }));
    expect(requests.map((request) => [request.method, pathOf(request), request.query])).toEqual([
      ['GET', '/v2/cycle', bounds],
      ['GET', '/v2/activity/sleep', bounds],
      ['GET', '/v2/recovery', bounds],
      ['GET', '/v2/activity/workout', bounds],
    ]);
    expect(result.map(({ resource }) => resource)).toEqual(['cycle', 'sleep', 'recovery', 'workout']);
  });

  test("begins and ends with the days of the user's zone", () => {
    const { requests } = runRequestFlow(
      whoopFetch.fetchWindow(makeFetchRequest(days, { zone: 'Pacific/Auckland' })),
      () => makeResponse({ records: [] }),
    );
    expect(requests[0]?.query).toEqual({
      ...bounds,
      start: '2026-03-03T11:00:00.000Z',
      end: '2026-03-06T11:00:00.000Z',
    });
  });

  test('sends the page token under its other name, until there is none', () => {
    const { requests, result } = window((request) => {
      if (pathOf(request) !== '/v2/recovery') return makeResponse({ records: [], next_token: null });
      return request.query?.['nextToken'] === undefined
        ? makeResponse({ records: [], next_token: 'page-2' })
        : makeResponse({ records: [] });
    });
    expect(requests.filter((each) => pathOf(each) === '/v2/recovery').map(({ query }) => query)).toEqual([
      bounds,
      { ...bounds, nextToken: 'page-2' },
    ]);
    expect(result.filter(({ resource }) => resource === 'recovery')).toHaveLength(2);
  });

  test('does not request lists that the user has not allowed', () => {
    const { requests } = window(() => makeResponse({ records: [] }), ['offline', 'read:sleep', 'read:workout']);
    expect(requests.map(pathOf)).toEqual(['/v2/activity/sleep', '/v2/activity/workout']);
  });

  test.each([403, 404])('leaves out lists that are refused with %i', (status) => {
    const { result } = window((request) =>
      pathOf(request) === '/v2/cycle' ? makeResponse('', status) : makeResponse({ records: [] }),
    );
    expect(result.map(({ resource }) => resource)).toEqual(['sleep', 'recovery', 'workout']);
  });

  test.each([
    [400, {}],
    [200, 'gone fishing'],
    [200, { data: [] }],
  ])('fails on an unknown response: %i %j', (status, body) => {
    expect(() => window(() => makeResponse(body, status))).toThrow(UnexpectedResponse);
  });

  test('fails when the pages never end', () => {
    expect(() => window(() => makeResponse({ records: [], next_token: 'again' }))).toThrow(UnexpectedResponse);
  });
});

describe('an announced', () => {
  const id = 'ecfc6a15-4661-442f-a9a4-f160dd7afae8';
  const locate = (resource: string, body: unknown, status = 200) => {
    const flow = whoopFetch.locate?.({ resource, id }, makeFetchRequest(days, { zone: 'Europe/Berlin' }));
    if (!flow) throw new Error('the adapter has no locate flow');
    return runRequestFlow(flow, () => makeResponse(body, status));
  };
  const found = { id, start: '2026-03-04T22:00:00.000Z', end: '2026-03-05T23:30:00.000Z', timezone_offset: '-10:00' };

  test.each(['sleep', 'recovery'])('%s is located around the day its sleep ends in the user’s zone', (resource) => {
    const { requests, result } = locate(resource, found);
    expect(requests).toEqual([{ method: 'GET', url: `${base}/v2/activity/sleep/${id}` }]);
    expect(result).toEqual({ from: '2026-03-05', to: '2026-03-07' });
  });

  test('workout is located around the day it starts in that zone', () => {
    const { requests, result } = locate('workout', { ...found, start: '2026-03-04T23:10:00.000Z' });
    expect(requests[0]?.url).toBe(`${base}/v2/activity/workout/${id}`);
    expect(result).toEqual({ from: '2026-03-04', to: '2026-03-06' });
  });

  test('record that does not exist has no location, and an unknown response fails', () => {
    expect(locate('sleep', {}, 404).result).toBeUndefined();
    expect(() => locate('sleep', { id })).toThrow(UnexpectedResponse);
  });
});
