import { expect, test } from 'vitest';
import { adapterOf } from '../../../shared/providers/adapters.ts';
import { Unexpected } from '../../../shared/providers/kit/vendor.ts';
import { askedFor, replied, talked } from '../../harness/vendor-talk.ts';

const endless = [
  ['oura', { data: [], next_token: 'again' }],
  ['whoop', { records: [], next_token: 'again' }],
  ['google_health', { dataPoints: [], rollupDataPoints: [], nextPageToken: 'again' }],
] as const;

test.each(endless)('a page of %s that leads to itself is followed once', (provider, page) => {
  let asks = 0;
  const talk = adapterOf(provider).fetch.window(askedFor({ from: '2026-03-08', to: '2026-03-10' }));
  const run = () =>
    talked(talk, () => {
      asks += 1;
      return replied(page);
    });
  expect(run).toThrow(Unexpected);
  expect(asks).toBe(2);
});
