// Fetches a range of days from Strava: the list of activities, then the details and heart rate
// trace of each.
import * as z from 'zod';
import { addDays } from '../../platform/time/local-day.ts';
import type { FetchAdapter, FetchRequest } from '../kit/adapter.ts';
import { localDayOfInstant } from '../kit/local-day-of-instant.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import {
  isOk,
  type ProviderRequest,
  type ProviderResponse,
  type RequestFlow,
  UnexpectedResponse,
} from '../kit/request-flow.ts';
import { createRequestedDays } from '../kit/requested-days.ts';
import { StravaActivity } from './activity.ts';
import { strava } from './descriptor.ts';
import { parseExactJson, StravaId } from './exact-json.ts';
import { lacksPermission } from './grant.ts';

const pageSize = 100;
/** More pages than any user has in a window. A longer list means that paging does not work. */
const maxPages = 20;
/**
 * Each takes two requests, out of the 100 per quarter hour for the whole deployment, only some of
 * which may be sent at once.
 */
const maxDetails = 18;

const buildGet = (path: string, query?: Readonly<Record<string, string>>): ProviderRequest => ({
  method: 'GET',
  url: `${strava.apiUrl}${path}`,
  ...(query ? { query } : {}),
});

function* fetchWindow(requested: FetchRequest): RequestFlow<ProviderPage[]> {
  const listing = yield* fetchActivities(requested);
  if (!listing) return [];
  const pages = [...listing.pages];
  const days = createRequestedDays(requested, requested.zone);
  const newest = [...new Map(listing.activities.map((each) => [each.id, each])).values()]
    .filter((each) => days.includesInstant(each.start_date))
    .toSorted((a, b) => b.start_date - a.start_date)
    .slice(0, maxDetails);
  for (const { id, has_heartrate } of newest) {
    pages.push(...(yield* fetchPage('activity', id, buildGet(`/activities/${id}`))));
    if (has_heartrate)
      pages.push(
        ...(yield* fetchPage(
          'streams',
          id,
          buildGet(`/activities/${id}/streams`, { keys: 'time,heartrate', key_by_type: 'true' }),
        )),
      );
  }
  return pages;
}

/** Undefined if it is not allowed. A page may be short without being the last. */
function* fetchActivities({
  from,
  to,
}: FetchRequest): RequestFlow<{ pages: ProviderPage[]; activities: StravaActivity[] } | undefined> {
  const bounds = {
    after: toEpochSeconds(addDays(from, -2)),
    before: toEpochSeconds(addDays(to, 3)),
    per_page: String(pageSize),
  };
  const pages: ProviderPage[] = [];
  const activities: StravaActivity[] = [];
  for (let page = 1; ; page++) {
    const response = yield buildGet('/athlete/activities', { ...bounds, page: String(page) });
    if (lacksPermission(response)) return undefined;
    const items = parseItems(response);
    if (page === 1 || items.length > 0) pages.push({ resource: 'activities', text: response.text });
    if (items.length === 0) return { pages, activities };
    if (page > maxPages) throw new UnexpectedResponse('Strava lists activities without end', response);
    activities.push(...items.flatMap((item) => StravaActivity.safeParse(item).data ?? []));
  }
}

function parseItems(response: ProviderResponse): unknown[] {
  const items = isOk(response) ? z.array(z.unknown()).safeParse(parseExactJson(response.text)).data : undefined;
  if (!items) throw new UnexpectedResponse('Strava activities', response);
  return items;
}

/**
 * A 404 becomes an empty text: the activity was deleted after it was listed, or it has no trace.
 */
function* fetchPage(resource: string, parameter: string, request: ProviderRequest): RequestFlow<ProviderPage[]> {
  const response = yield request;
  if (isOk(response)) return [{ resource, parameter, text: response.text }];
  if (response.status === 404) return [{ resource, parameter, text: '' }];
  if (lacksPermission(response)) return [];
  throw new UnexpectedResponse(`Strava ${resource}`, response);
}

const toEpochSeconds = (date: string): string => String(Date.parse(`${date}T00:00:00Z`) / 1000);

export const stravaFetch: FetchAdapter = {
  fetchWindow,
  *locate({ resource, id }, { zone }) {
    if (resource !== 'activity' || !StravaId.safeParse(id).success) return undefined;
    const response = yield buildGet(`/activities/${id}`);
    if (response.status === 404 || lacksPermission(response)) return undefined;
    const activity = isOk(response) ? StravaActivity.safeParse(parseExactJson(response.text)).data : undefined;
    if (!activity) throw new UnexpectedResponse('Strava activity', response);
    const day = localDayOfInstant(activity.start_date, zone);
    return { from: day, to: day };
  },
};
