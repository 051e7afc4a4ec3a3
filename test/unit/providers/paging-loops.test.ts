// A provider whose next page is the same page again must not be followed forever.
import { expect, test } from 'vitest';
import type { CloudProviderId } from '../../../shared/catalog/provider.ts';
import { addDays } from '../../../shared/platform/time/local-day.ts';
import { getProviderAdapter } from '../../../shared/providers/adapters.ts';
import type { DayWindow } from '../../../shared/providers/kit/provider-pages.ts';
import {
  type ProviderRequest,
  type ProviderResponse,
  UnexpectedResponse,
} from '../../../shared/providers/kit/request-flow.ts';
import { simulateDays } from '../../../shared/sandbox/provider-server/simulate-days.ts';
import { getSimulator } from '../../../shared/sandbox/simulated-providers/simulators.ts';
import { makeFetchRequest, makeGrantContext, makeResponse, runRequestFlow } from '../../harness/request-flow.ts';
import { itemsOfDays, respondAsProvider } from '../../harness/simulated-provider.ts';
import { polledProviders } from './travelers.ts';

/** More requests than any provider needs for one window. */
const maxRequests = 500;

class TooManyRequests extends Error {}

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
      if (requests > maxRequests) throw new TooManyRequests();
      return makeResponse(page);
    });
  expect(run).toThrow(UnexpectedResponse);
  expect(requests).toBe(2);
});

const nowMs = Date.parse('2026-03-31T15:00:00Z');
const lastDay = '2026-03-30';
const timezone = 'Europe/Berlin';
/** Items are repeated until a list is at least this long, so that it has several pages. */
const minListLength = 200;

const providersWithoutPages: Partial<Record<CloudProviderId, string>> = {
  polar: 'Polar returns every list as a whole.',
  ultrahuman: 'Ultrahuman returns a day as a whole.',
  coros: 'COROS returns up to 30 days as a whole.',
};

type Respond = (request: ProviderRequest) => ProviderResponse;

function simulateLongLists(provider: CloudProviderId, window: DayWindow): Respond {
  const { grant, descriptor } = getProviderAdapter(provider);
  const simulator = getSimulator(provider);
  const life = { userId: 'usr_01kkgynztjwyzsrk5sgvqhy5d6', persona: 'athlete', timezone } as const;
  const items = itemsOfDays(simulator, simulateDays({ ...life, worn: descriptor.deviceType }, window, nowMs));
  const respond = respondAsProvider(
    simulator,
    (resource, dates) => {
      const list = items(resource, dates);
      const copies = Math.ceil(minListLength / Math.max(list.length, 1));
      return list.flatMap((item) => Array.from({ length: copies }, () => item));
    },
    { nowMs },
  );
  return (request) => respond(grant.authorizeRequest?.(request, makeGrantContext()) ?? request);
}

/** Returns the first response of each list for every later page of it. */
function repeatFirstPages(respond: Respond): Respond {
  const firstPages = new Map<string, ProviderResponse>();
  return (request) => {
    // Withings names the list in the form, all other providers in the URL.
    const list = [request.method, request.url, request.form?.['action']].join(' ');
    const page = firstPages.get(list) ?? respond(request);
    firstPages.set(list, page);
    return page;
  };
}

/** A fetch is `stopped` if the adapter refuses a response. */
function fetchWindow(provider: CloudProviderId, window: DayWindow, respond: Respond) {
  const flow = getProviderAdapter(provider).fetch.fetchWindow(makeFetchRequest(window, { nowMs, zone: timezone }));
  try {
    runRequestFlow(flow, (request, at) => {
      if (at >= maxRequests) throw new TooManyRequests();
      return respond(request);
    });
    return 'finished';
  } catch (error) {
    if (error instanceof TooManyRequests) return 'endless';
    if (error instanceof UnexpectedResponse) return 'stopped';
    throw error;
  }
}

test.each(polledProviders)('%s is not followed forever if it repeats the first page of its lists', (provider) => {
  const { windowDays } = getProviderAdapter(provider).descriptor.sync;
  const window = { from: addDays(lastDay, 1 - windowDays), to: lastDay };
  const respond = simulateLongLists(provider, window);
  expect(fetchWindow(provider, window, respond)).toBe('finished');
  const hasPages = providersWithoutPages[provider] === undefined;
  expect(fetchWindow(provider, window, repeatFirstPages(respond))).toBe(hasPages ? 'stopped' : 'finished');
});
