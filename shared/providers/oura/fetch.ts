// Fetches Oura's documents by day and heart rate by time, and locates the days of an announced
// document.
import { addDays } from '../../platform/time/local-day.ts';
import type { FetchAdapter, FetchRequest } from '../kit/adapter.ts';
import { withAdjacentDays } from '../kit/day-windows.ts';
import { localDayOfInstant } from '../kit/local-day-of-instant.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import { isOk, parseResponseJson, type RequestFlow, UnexpectedResponse } from '../kit/request-flow.ts';
import { oura } from './descriptor.ts';
import { OuraDocument, OuraPage } from './items.ts';

/** The collection names that are used in paths. */
const dailyCollections = ['daily_activity', 'sleep', 'daily_spo2', 'workout', 'session', 'vO2_max'] as const;

const collectionUrl = `${oura.apiUrl}/v2/usercollection`;
/**
 * The zone of a bare date is not documented, a night starts on the day before its own, and the
 * ring's clock may be most of a day off the user's zone. Together that is less than two days.
 */
const marginDays = 2;
/** The days of heart rate in one request. */
const maxHeartRateDays = 30;
const maxPages = 60;

function* fetchWindow(requested: FetchRequest): RequestFlow<ProviderPage[]> {
  const [first, last] = [addDays(requested.from, -marginDays), addDays(requested.to, marginDays)];
  const pages: ProviderPage[] = [];
  for (const resource of dailyCollections)
    pages.push(...(yield* fetchAllPages(resource, { start_date: first, end_date: last })));
  pages.push(...(yield* fetchHeartRate(first, last)));
  return pages;
}

function* fetchHeartRate(first: string, last: string): RequestFlow<ProviderPage[]> {
  const pages: ProviderPage[] = [];
  for (let from = first; from < last; from = addDays(from, maxHeartRateDays)) {
    const to = addDays(from, maxHeartRateDays) < last ? addDays(from, maxHeartRateDays) : last;
    const fetched = yield* fetchAllPages('heartrate', {
      start_datetime: `${from}T00:00:00+00:00`,
      end_datetime: `${to}T00:00:00+00:00`,
    });
    if (fetched.length === 0) return [];
    pages.push(...fetched);
  }
  return pages;
}

/** Empty if the user has not allowed the collection, or if their Oura membership has expired. */
function* fetchAllPages(resource: string, bounds: Readonly<Record<string, string>>): RequestFlow<ProviderPage[]> {
  const pages: ProviderPage[] = [];
  let token: string | undefined;
  do {
    const query = token === undefined ? bounds : { ...bounds, next_token: token };
    const response = yield { method: 'GET', url: `${collectionUrl}/${resource}`, query };
    if (response.status === 403 || response.status === 404) return [];
    const page = isOk(response) ? OuraPage.safeParse(parseResponseJson(response)).data : undefined;
    const next = page?.next_token || undefined;
    // A page whose next page is itself would repeat forever.
    const isEndless = pages.length >= maxPages || (next !== undefined && next === token);
    if (!page || isEndless) throw new UnexpectedResponse(`Oura ${resource}`, response);
    pages.push({ resource, text: response.text });
    token = next;
  } while (token !== undefined);
  return pages;
}

const locate: NonNullable<FetchAdapter['locate']> = function* ({ resource, id }, { zone }) {
  const response = yield {
    method: 'GET',
    url: `${collectionUrl}/${toCollectionPath(resource)}/${encodeURIComponent(id)}`,
  };
  if (response.status === 404 || response.status === 403) return undefined;
  const document = isOk(response) ? OuraDocument.safeParse(parseResponseJson(response)).data : undefined;
  if (!document) throw new UnexpectedResponse(`Oura ${resource}`, response);
  const { day, bedtime_end: end, start_datetime: start } = document;
  const ms = (end ?? start)?.ms;
  const dates = [day, ...(ms === undefined ? [] : [localDayOfInstant(ms, zone) || day])].sort();
  // An edited night may have moved here from an adjacent day.
  return withAdjacentDays(dates[0] ?? day, dates.at(-1));
};

const toCollectionPath = (dataType: string): string => (dataType === 'vo2_max' ? 'vO2_max' : dataType);

export const ouraFetch: FetchAdapter = { fetchWindow, locate };
