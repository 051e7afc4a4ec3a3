// Fetches Ultrahuman's data, one day after the other.
import { datesInRange } from '../../platform/time/local-day.ts';
import type { FetchAdapter } from '../kit/adapter.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import { isOk, parseResponseJson, UnexpectedResponse } from '../kit/request-flow.ts';
import { expandToProviderDates, latestDateWorldwide } from '../kit/requested-days.ts';
import { ultrahuman } from './descriptor.ts';
import { UltrahumanResponse } from './items.ts';

export const ultrahumanFetch: FetchAdapter = {
  *fetchWindow({ from, to, zone, nowMs }) {
    const pages: ProviderPage[] = [];
    const dates = expandToProviderDates({ from, to }, zone);
    for (const date of datesInRange(dates.from, dates.to).filter((each) => each <= latestDateWorldwide(nowMs))) {
      const response = yield { method: 'GET', url: `${ultrahuman.apiUrl}/user_data/metrics`, query: { date } };
      if (response.status === 403 || response.status === 404) continue;
      const body = isOk(response) ? UltrahumanResponse.safeParse(parseResponseJson(response)).data : undefined;
      if (!body) throw new UnexpectedResponse('Ultrahuman metrics', response);
      if (body.data) pages.push({ resource: 'metrics', text: response.text, parameter: date });
    }
    return pages;
  },
};
