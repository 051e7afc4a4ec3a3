// Fetches from Withings: four lists for the days of the window, the stages of the sleeps of the last
// two weeks, and intraday data for each day of the last month.
import * as z from 'zod';
import { addDays, datesInRange, dayBounds, dayMs, utcDay } from '../../platform/time/local-day.ts';
import type { FetchAdapter, FetchRequest } from '../kit/adapter.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import type { ProviderRequest, ProviderResponse, RequestFlow } from '../kit/request-flow.ts';
import { withings } from './descriptor.ts';
import { isNotAllowed, parseWithingsEnvelope, toWithingsError } from './envelope.ts';
import { listStageSpans } from './sleep-stages.ts';

/** Each day of intraday data is a request, so earlier days have only daily values. */
const intradayDays = 30;
const maxPages = 40;

interface Resource {
  resource: string;
  scope: string;
  path: string;
  form: Readonly<Record<string, string>>;
}

/** Withings returns most values only if the request names them. */
const dataFields = {
  activity: 'steps,distance,elevation,soft,moderate,intense,active,calories,totalcalories,hr_average,hr_min,hr_max',
  workouts:
    'calories,distance,steps,elevation,hr_average,hr_min,hr_max,pause_duration,manual_calories,manual_distance,pool_laps,pool_length,strokes',
  sleep:
    'total_timeinbed,total_sleep_time,asleepduration,lightsleepduration,deepsleepduration,remsleepduration,wakeupduration,sleep_latency,sleep_efficiency,hr_average,rr_average,chest_movement_rate_wellness_average,core_body_temperature_avg',
  intraday: 'heart_rate,spo2_auto,rmssd,sdnn1',
};
const measureTypes = '1,4,5,6,8,9,10,11,54,71,73,76,77,88,123';

const toEpochSeconds = (date: string): string => String(Date.parse(date) / 1000);

/**
 * Lists of days follow the local clock where the user was, and a night begins on the day before its
 * own.
 */
const marginDays = 2;

function buildLists({ from, to }: FetchRequest): Resource[] {
  const first = addDays(from, -marginDays);
  const last = addDays(to, marginDays);
  const days = { startdateymd: first, enddateymd: last };
  const activityScope = { scope: 'user.activity' };
  const list = (resource: 'activity' | 'workouts' | 'sleep', path: string, action: string): Resource => ({
    ...activityScope,
    resource,
    path,
    form: { action, ...days, data_fields: dataFields[resource] },
  });
  return [
    list('activity', '/v2/measure', 'getactivity'),
    list('sleep', '/v2/sleep', 'getsummary'),
    list('workouts', '/v2/measure', 'getworkouts'),
    {
      resource: 'measures',
      scope: 'user.metrics',
      path: '/measure',
      form: {
        action: 'getmeas',
        meastypes: measureTypes,
        category: '1',
        startdate: toEpochSeconds(first),
        enddate: toEpochSeconds(addDays(last, 1)),
      },
    },
  ];
}

const buildRequest = (path: string, form: Readonly<Record<string, string>>): ProviderRequest => ({
  method: 'POST',
  url: `${withings.apiUrl}${path}`,
  form,
});

const NextPage = z.looseObject({
  more: z.union([z.boolean(), z.number()]).nullish(),
  offset: z.number().nullish(),
});

/** The offset of the next page; undefined after the last one. */
function readNextOffset(body: unknown): number | undefined {
  const { more, offset } = NextPage.safeParse(body).data ?? {};
  return more && typeof offset === 'number' ? offset : undefined;
}

/** Undefined if the app or the user's consent does not include this data. */
function readBody(what: string, response: ProviderResponse): { body: unknown } | undefined {
  const envelope = parseWithingsEnvelope(response);
  // An empty list may be omitted, but not the body around it.
  if (envelope?.status === 0 && z.looseObject({}).safeParse(envelope.body).success) return { body: envelope.body };
  if (response.status === 403 || (envelope && isNotAllowed(envelope))) return undefined;
  throw toWithingsError(what, response);
}

function* fetchAllPages({ resource, path, form }: Resource): RequestFlow<ProviderPage[]> {
  const pages: ProviderPage[] = [];
  let offset: number | undefined;
  do {
    const response: ProviderResponse = yield buildRequest(
      path,
      offset === undefined ? form : { ...form, offset: String(offset) },
    );
    const content = readBody(resource, response);
    if (!content) return [];
    pages.push({ resource, text: response.text });
    const next = readNextOffset(content.body);
    if (next !== undefined && (next === offset || pages.length >= maxPages))
      throw toWithingsError(`${resource} without an end`, response);
    offset = next;
  } while (offset !== undefined);
  return pages;
}

function* fetchStages(requested: FetchRequest, lists: readonly ProviderPage[]): RequestFlow<ProviderPage[]> {
  const pages: ProviderPage[] = [];
  for (const { startdate, enddate } of listStageSpans(lists, requested)) {
    const response = yield buildRequest('/v2/sleep', { action: 'get', startdate, enddate });
    if (!readBody('sleep stages', response)) return [];
    pages.push({ resource: 'stages', text: response.text, parameter: `${startdate}-${enddate}` });
  }
  return pages;
}

/**
 * Withings answers only the first 24 hours of a range, so there is one request for each UTC day
 * that overlaps one of the user's days.
 */
function* fetchIntraday({ from, to, zone, nowMs }: FetchRequest): RequestFlow<ProviderPage[]> {
  const oldest = utcDay(nowMs - intradayDays * dayMs);
  const first = utcDay(dayBounds(from, zone).startMs);
  const last = utcDay(dayBounds(to, zone).endMs - 1);
  const pages: ProviderPage[] = [];
  for (const date of datesInRange(first > oldest ? first : oldest, last)) {
    if (Date.parse(date) > nowMs) break;
    const bounds = { startdate: toEpochSeconds(date), enddate: toEpochSeconds(addDays(date, 1)) };
    const form = { action: 'getintradayactivity', ...bounds, data_fields: dataFields.intraday };
    const response = yield buildRequest('/v2/measure', form);
    if (!readBody('intraday', response)) return [];
    pages.push({ resource: 'intraday', text: response.text, parameter: date });
  }
  return pages;
}

const isAllowed = ({ scopes }: FetchRequest, scope: string): boolean => scopes === null || scopes.includes(scope);

export const withingsFetch: FetchAdapter = {
  *fetchWindow(requested) {
    const pages: ProviderPage[] = [];
    for (const list of buildLists(requested))
      if (isAllowed(requested, list.scope)) pages.push(...(yield* fetchAllPages(list)));
    if (isAllowed(requested, 'user.activity')) {
      pages.push(...(yield* fetchStages(requested, pages)));
      pages.push(...(yield* fetchIntraday(requested)));
    }
    return pages;
  },
};
