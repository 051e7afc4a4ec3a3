import { describe, expect, test } from 'vitest';
import { Unexpected } from '../../../../shared/providers/kit/vendor.ts';
import { ultrahumanFetch } from '../../../../shared/providers/ultrahuman/fetch.ts';
import { askedFor, replied, talked } from '../../../harness/vendor-talk.ts';

const empty = { data: { metric_data: [] }, error: null, status: 200 };
const window = (answer: Parameters<typeof talked>[1], to = '2026-03-06') =>
  talked(ultrahumanFetch.window(askedFor({ from: '2026-03-05', to })), answer);

describe('a window', () => {
  test('asks for one day after the other, with those that the ring may have shown', () => {
    const { requests, result } = window(() => replied(empty));
    expect(requests).toEqual(
      ['2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07'].map((date) => ({
        method: 'GET',
        url: 'https://partner.ultrahuman.com/api/partners/v1/user_data/metrics',
        query: { date },
      })),
    );
    expect(result.map(({ of }) => of)).toEqual(['2026-03-04', '2026-03-05', '2026-03-06', '2026-03-07']);
  });

  test.each([
    ['America/New_York', 4],
    ['Pacific/Auckland', 5],
  ])('of somebody at %s takes %i requests', (zone, count) => {
    const talk = ultrahumanFetch.window(askedFor({ from: '2026-03-05', to: '2026-03-06' }, { zone }));
    expect(talked(talk, () => replied(empty)).requests).toHaveLength(count);
  });

  test('does not ask for days that have begun nowhere', () => {
    // It is noon on the 10th, and the 11th in Kiribati.
    const { requests } = window(() => replied(empty), '2026-03-20');
    expect(requests.at(-1)?.query).toEqual({ date: '2026-03-11' });
  });

  test.each([403, 404])('leaves out a day that is refused with %i', (status) => {
    const { result } = window(({ query }) =>
      query?.['date'] === '2026-03-05' ? replied({ error: 'no' }, status) : replied(empty),
    );
    expect(result.map(({ of }) => of)).toEqual(['2026-03-04', '2026-03-06', '2026-03-07']);
  });

  test('leaves out a day without data', () => {
    expect(window(() => replied({ data: null, error: null, status: 200 })).result).toEqual([]);
  });

  test.each([
    [400, { error: 'date' }],
    [200, 'a page'],
    [200, []],
  ])('is given up on an answer that means nothing: %i %j', (status, body) => {
    expect(() => window(() => replied(body, status))).toThrow(Unexpected);
  });
});
