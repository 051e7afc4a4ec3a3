import { expect, test } from 'vitest';
import { getProviderAdapter } from '../../../shared/providers/adapters.ts';
import { UnexpectedResponse } from '../../../shared/providers/kit/request-flow.ts';
import { makeFetchRequest, makeResponse, runRequestFlow } from '../../harness/request-flow.ts';

const endless = [
  ['oura', { data: [], next_token: 'again' }],
  ['whoop', { records: [], next_token: 'again' }],
  ['google_health', { dataPoints: [], rollupDataPoints: [], nextPageToken: 'again' }],
] as const;

test.each(endless)('a page of %s that links to itself is followed once', (provider, page) => {
  let requests = 0;
  const flow = getProviderAdapter(provider).fetch.fetchWindow(
    makeFetchRequest({ from: '2026-03-08', to: '2026-03-10' }),
  );
  const run = () =>
    runRequestFlow(flow, () => {
      requests += 1;
      return makeResponse(page);
    });
  expect(run).toThrow(UnexpectedResponse);
  expect(requests).toBe(2);
});
