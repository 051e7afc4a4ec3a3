import { describe, expect, test } from 'vitest';
import { UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { ultrahumanFetch } from '../../../../shared/providers/ultrahuman/fetch.ts';
import { makeFetchRequest, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const empty = { data: { metric_data: [] }, error: null, status: 200 };
const window = (answer: Parameters<typeof runRequestFlow>[1], to = '2026-03-06') =>
  runRequestFlow(ultrahumanFetch.fetchWindow(makeFetchRequest({ from: '2026-03-05', to })), answer);

describe('a window', () => {
  test('requests one day after the other, including the days that the ring may have shown', () => {
    const { requests, result } = window(() => makeResponse(empty));
    expect(requests).toEqual(
      ['2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07'].map((date) => ({
        method: 'GET',
        url: 'https://partner.ultrahuman.com/api/partners/v1/user_data/metrics',
        query: { date },
      })),
    );
    expect(result.map(({ parameter }) => parameter)).toEqual(['2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07']);
  });

  test.each([
    ['America/New_York', 4],
    ['Pacific/Auckland', 5],
  ])('of a user in %s takes %i requests', (zone, count) => {
    const flow = ultrahumanFetch.fetchWindow(makeFetchRequest({ from: '2026-03-05', to: '2026-03-06' }, { zone }));
    expect(runRequestFlow(flow, () => makeResponse(empty)).requests).toHaveLength(count);
  });

  test('requests no day that has not begun anywhere', () => {
    // It is noon on the 10th in UTC, and already the 11th in Kiribati.
    const { requests } = window(() => makeResponse(empty), '2026-03-20');
    expect(requests.at(-1)?.query).toEqual({ date: '2026-03-11' });
  });

  test.each([403, 404])('leaves out a day that is refused with %i', (status) => {
    const { result } = window(({ query }) =>
      query?.['date'] === '2026-03-05' ? makeResponse({ error: 'no' }, status) : makeResponse(empty),
    );
    expect(result.map(({ parameter }) => parameter)).toEqual(['2026-03-04', '2026-03-06', '2026-03-07']);
  });

  test('leaves out a day without data', () => {
    expect(window(() => makeResponse({ data: null, error: null, status: 200 })).result).toEqual([]);
  });

  test.each([
    [400, { error: 'date' }],
    [200, 'a page'],
    [200, []],
  ])('fails on an unknown response: %i %j', (status, body) => {
    expect(() => window(() => makeResponse(body, status))).toThrow(UnexpectedResponse);
  });
});
