// Fetches from Google Health: daily totals, the heart rate in five-minute averages, every other
// type merged as Google's own app shows it, and the heart rate during each workout.
import * as z from 'zod';
import { addDays, daysBetween } from '../../platform/time/local-day.ts';
import type { FetchAdapter, FetchRequest } from '../kit/adapter.ts';
import type { DayWindow, ProviderPage } from '../kit/provider-pages.ts';
import {
  isOk,
  type ProviderRequest,
  type ProviderResponse,
  parseResponseJson,
  type RequestFlow,
  UnexpectedResponse,
} from '../kit/request-flow.ts';
import { createRequestedDays, expandToProviderDates } from '../kit/requested-days.ts';
import { isNotLinked, isScopeMissing } from './api-error.ts';
import {
  exerciseDistancePageName,
  exerciseHeartRatePageName,
  heartRatePageName,
  type PointType,
  pointTypes,
  rollupPageName,
  rollupTypes,
  settingsPageName,
} from './data-types.ts';
import { locateSession } from './locate-session.ts';
import { type GoogleSession, readGoogleSessions } from './sessions.ts';
import { operationUrl, settingsUrl } from './urls.ts';

/** The longest range that Google allows for heart rate, calories and minutes. */
const maxRangeDays = 14;
const maxPages = 60;
/** The heart rate is requested for this many workouts, latest first. */
const maxTracedWorkouts = 40;
const averageWindow = '300s';
/** Distances are reported by the minute, by some devices by the quarter hour. */
const maxPointMs = 900_000;

/** The user has no health profile. There is nothing to read, and this is not an error. */
class MissingProfile extends Error {}

const NextPage = z.looseObject({ nextPageToken: z.string().nullish() });

/** Undefined if the user has not allowed it, or if the type does not exist for them. */
function* fetchAllPages(
  page: Pick<ProviderPage, 'resource' | 'parameter'>,
  request: (pageToken: string | undefined) => ProviderRequest,
): RequestFlow<ProviderPage[] | undefined> {
  const pages: ProviderPage[] = [];
  let token: string | undefined;
  do {
    const response: ProviderResponse = yield request(token);
    if (isNotLinked(response)) throw new MissingProfile();
    if (isScopeMissing(response) || response.status === 404) return undefined;
    const next = NextPage.safeParse(parseResponseJson(response)).data?.nextPageToken || undefined;
    // A page whose next page is itself would repeat forever.
    const isEndless = pages.length >= maxPages || (next !== undefined && next === token);
    if (!isOk(response) || isEndless) throw new UnexpectedResponse(`Google Health ${page.resource}`, response);
    pages.push({ ...page, text: response.text });
    token = next;
  } while (token !== undefined);
  return pages;
}

/** Splits the days into ranges no longer than Google allows. */
function splitRange({ from, to }: DayWindow): DayWindow[] {
  const days = daysBetween(from, to) + 1;
  return Array.from({ length: Math.ceil(days / maxRangeDays) }, (_, at) => {
    const first = addDays(from, at * maxRangeDays);
    const last = addDays(first, maxRangeDays - 1);
    return { from: first, to: last < to ? last : to };
  });
}

const toCivilDate = (date: string): object => {
  const [year, month, day] = date.split('-').map(Number);
  return { date: { year, month, day } };
};
const toUtcMidnight = (date: string): string => `${date}T00:00:00Z`;
const pageTokenField = (pageToken: string | undefined): { pageToken?: string } =>
  pageToken === undefined ? {} : { pageToken };

/** The days are already in the user's local time, so no adjacent days are needed. */
function* fetchDailyTotals(type: string, requested: DayWindow): RequestFlow<ProviderPage[]> {
  const pages: ProviderPage[] = [];
  for (const { from, to } of splitRange(requested)) {
    const range = { start: toCivilDate(from), end: toCivilDate(addDays(to, 1)) };
    const fetched = yield* fetchAllPages({ resource: rollupPageName(type) }, (token) => ({
      method: 'POST',
      url: operationUrl(type, 'dailyRollUp'),
      json: { range, windowSizeDays: 1, ...pageTokenField(token) },
    }));
    if (!fetched) return [];
    pages.push(...fetched);
  }
  return pages;
}

function* fetchHeartRate(requested: DayWindow): RequestFlow<ProviderPage[]> {
  const pages: ProviderPage[] = [];
  for (const { from, to } of splitRange(padByOneDay(requested))) {
    const range = { startTime: toUtcMidnight(from), endTime: toUtcMidnight(addDays(to, 1)) };
    const fetched = yield* fetchAllPages({ resource: heartRatePageName }, (token) => ({
      method: 'POST',
      url: operationUrl('heart-rate', 'rollUp'),
      json: { range, windowSize: averageWindow, pageSize: 10_000, ...pageTokenField(token) },
    }));
    if (!fetched) return [];
    pages.push(...fetched);
  }
  return pages;
}

const padByOneDay = ({ from, to }: DayWindow): DayWindow => ({ from: addDays(from, -1), to: addDays(to, 1) });

const buildRangeFilter = (field: string, from: string, before: string): string =>
  `${field} >= "${from}" AND ${field} < "${before}"`;

function buildFilter({ type, filterField }: PointType, requested: FetchRequest): string {
  const name = type.replaceAll('-', '_');
  const { from, to } = padByOneDay(requested);
  const before = addDays(to, 1);
  const civilDates = expandToProviderDates(requested, requested.zone);
  switch (filterField) {
    case 'date':
      return buildRangeFilter(`${name}.date`, from, before);
    case 'sample':
      return buildRangeFilter(`${name}.sample_time.physical_time`, toUtcMidnight(from), toUtcMidnight(before));
    case 'civil_start':
      return buildRangeFilter(
        `${name}.interval.civil_start_time`,
        `${civilDates.from}T00:00:00`,
        `${addDays(civilDates.to, 1)}T00:00:00`,
      );
    case 'end':
      return buildRangeFilter(`${name}.interval.end_time`, toUtcMidnight(from), toUtcMidnight(before));
  }
}

const buildReconcileRequest =
  (type: string, filter: string, pageSize: number) =>
  (token: string | undefined): ProviderRequest => ({
    method: 'GET',
    url: operationUrl(type, 'reconcile'),
    query: { filter, pageSize: String(pageSize), ...pageTokenField(token) },
  });

/** Workouts arrive without their maximum heart rate, and some without a distance. */
function* fetchWorkoutDetails(pages: readonly ProviderPage[], requested: FetchRequest): RequestFlow<ProviderPage[]> {
  const days = createRequestedDays(requested, requested.zone);
  const exercises = readGoogleSessions(pages, 'exercise')
    .filter(({ startMs }) => days.includesInstant(startMs))
    .toSorted((a, b) => b.startMs - a.startMs)
    .slice(0, maxTracedWorkouts);
  const heartRatePages = yield* fetchForEachSession(
    exercises,
    exerciseHeartRatePageName,
    'heart-rate',
    'heart_rate.sample_time.physical_time',
  );
  const withoutDistance = exercises
    .filter(({ hasDistance }) => !hasDistance)
    // A point that begins before the workout covers its first seconds.
    .map((each) => ({ ...each, startMs: each.startMs - maxPointMs }));
  return [
    ...heartRatePages,
    ...(yield* fetchForEachSession(
      withoutDistance,
      exerciseDistancePageName,
      'distance',
      'distance.interval.start_time',
    )),
  ];
}

/** Empty if the user has not allowed it. */
function* fetchForEachSession(
  sessions: readonly GoogleSession[],
  resource: string,
  type: string,
  field: string,
): RequestFlow<ProviderPage[]> {
  const fetched: ProviderPage[] = [];
  for (const { id, startMs, endMs } of sessions) {
    const [from, before] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
    if (from === undefined || before === undefined) continue;
    const sessionPages = yield* fetchAllPages(
      { resource, parameter: id },
      buildReconcileRequest(type, buildRangeFilter(field, from, before), 10_000),
    );
    if (!sessionPages) return [];
    fetched.push(...sessionPages);
  }
  return fetched;
}

/** The settings name the user's time zone, which is needed only while the profile has none. */
function* fetchSettings({ zone }: FetchRequest): RequestFlow<ProviderPage[]> {
  if (zone !== null) return [];
  const response = yield { method: 'GET', url: settingsUrl };
  return isOk(response) ? [{ resource: settingsPageName, text: response.text }] : [];
}

function* fetchEverything(requested: FetchRequest): RequestFlow<ProviderPage[]> {
  const pages: ProviderPage[] = [];
  for (const type of rollupTypes) pages.push(...(yield* fetchDailyTotals(type, requested)));
  pages.push(...(yield* fetchHeartRate(requested)));
  for (const each of pointTypes) {
    const { type, pageSize } = each;
    const fetched = yield* fetchAllPages(
      { resource: type },
      buildReconcileRequest(type, buildFilter(each, requested), pageSize),
    );
    pages.push(...(fetched ?? []));
  }
  return [...pages, ...(yield* fetchWorkoutDetails(pages, requested)), ...(yield* fetchSettings(requested))];
}

export const googleHealthFetch: FetchAdapter = {
  *fetchWindow(requested) {
    try {
      return yield* fetchEverything(requested);
    } catch (error) {
      if (error instanceof MissingProfile) return [];
      throw error;
    }
  },
  locate: locateSession,
};
