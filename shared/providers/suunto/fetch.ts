// Fetches nights, activity, daily statistics and workouts from Suunto, each at most 28 days at a
// time.
import * as z from 'zod';
import { addDays, dayBounds, dayMs } from '../../platform/time/local-day.ts';
import type { FetchAdapter, FetchRequest } from '../kit/adapter.ts';
import { localDayOfInstant } from '../kit/local-day-of-instant.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import {
  isOk,
  type ProviderResponse,
  parseResponseJson,
  type RequestFlow,
  UnexpectedResponse,
} from '../kit/request-flow.ts';
import { suunto } from './descriptor.ts';
import { readSuuntoSpan, SuuntoWorkout } from './items.ts';

const maxSpanMs = 28 * dayMs;
const pageSize = 100;
const maxPages = 20;

interface Span {
  fromMs: number;
  untilMs: number;
}

/**
 * Uses UTC days with two more on either side, so that the requested days and the nights before them
 * are complete wherever the user lives.
 */
function splitWindow({ from, to, nowMs }: FetchRequest): Span[] {
  const first = dayBounds(addDays(from, -2), null).startMs;
  const last = Math.min(dayBounds(addDays(to, 2), null).endMs, nowMs + dayMs);
  return splitSpan(first, last);
}

function splitSpan(fromMs: number, untilMs: number): Span[] {
  const spans: Span[] = [];
  for (let at = fromMs; at < untilMs; at += maxSpanMs)
    spans.push({ fromMs: at, untilMs: Math.min(at + maxSpanMs, untilMs) });
  return spans;
}

/** The data is not allowed or does not exist: it is left out and not claimed as covered. */
const isUnavailable = ({ status }: ProviderResponse): boolean => status === 403 || status === 404;

const List = z.array(z.unknown());
const WorkoutPage = z.looseObject({ error: z.unknown().optional(), payload: List });

/**
 * The end is one millisecond early, so that spans do not overlap, whether or not Suunto includes
 * the end.
 */
function* fetchSamples(resource: 'sleep' | 'activity', spans: readonly Span[]): RequestFlow<ProviderPage[]> {
  const pages: ProviderPage[] = [];
  for (const { fromMs, untilMs } of spans) {
    const query = { from: String(fromMs), to: String(untilMs - 1) };
    const response = yield { method: 'GET', url: `${suunto.apiUrl}/247samples/${resource}`, query };
    if (isUnavailable(response)) return [];
    if (!isOk(response) || !List.safeParse(parseResponseJson(response)).success)
      throw new UnexpectedResponse(`Suunto ${resource}`, response);
    pages.push({ resource, text: response.text });
  }
  return pages;
}

/** Written without a zone, and interpreted as UTC. */
const formatUtc = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/**
 * Requests days from midnight to midnight in the user's zone, because the days of the response
 * begin at the clock time of the first.
 */
function* fetchStatistics({ from, to, zone, nowMs }: FetchRequest): RequestFlow<ProviderPage[]> {
  const first = dayBounds(addDays(from, -1), zone).startMs;
  const last = Math.min(dayBounds(addDays(to, 1), zone).endMs, nowMs + dayMs);
  const pages: ProviderPage[] = [];
  for (const { fromMs, untilMs } of splitSpan(first, last)) {
    const query = { startdate: formatUtc(fromMs), enddate: formatUtc(untilMs) };
    let response = yield { method: 'GET', url: `${suunto.apiUrl}/247samples/daily-activity-statistics`, query };
    if (response.status === 404)
      response = yield { method: 'GET', url: `${suunto.apiUrl}/247/daily-activity-statistics`, query };
    if (isUnavailable(response)) return [];
    if (!isOk(response) || !List.safeParse(parseResponseJson(response)).success)
      throw new UnexpectedResponse('Suunto statistics', response);
    pages.push({ resource: 'statistics', text: response.text, parameter: zone ?? 'UTC' });
  }
  return pages;
}

function* fetchWorkouts(spans: readonly Span[]): RequestFlow<ProviderPage[]> {
  const pages: ProviderPage[] = [];
  for (const { fromMs, untilMs } of spans)
    for (let offset = 0; ; offset += pageSize) {
      const response = yield {
        method: 'GET',
        url: `${suunto.apiUrl}/v3/workouts/`,
        query: {
          since: String(fromMs),
          until: String(untilMs - 1),
          limit: String(pageSize),
          offset: String(offset),
          'filter-by-modification-time': 'false',
        },
      };
      if (isUnavailable(response)) return [];
      const page = isOk(response) ? WorkoutPage.safeParse(parseResponseJson(response)).data : undefined;
      if (!page || (page.error ?? null) !== null || pages.length >= maxPages)
        throw new UnexpectedResponse('Suunto workouts', response);
      pages.push({ resource: 'workouts', text: response.text });
      if (page.payload.length < pageSize) break;
    }
  return pages;
}

const isWorkoutKey = (text: string): boolean => /^\w{1,64}$/.test(text);
const WorkoutResponse = z.looseObject({ payload: SuuntoWorkout });

export const suuntoFetch: FetchAdapter = {
  *fetchWindow(requested) {
    const spans = splitWindow(requested);
    return [
      ...(yield* fetchSamples('sleep', spans)),
      ...(yield* fetchSamples('activity', spans)),
      ...(yield* fetchStatistics(requested)),
      ...(yield* fetchWorkouts(spans)),
    ];
  },
  *locate({ resource, id }, { zone }) {
    if (resource !== 'workout' || !isWorkoutKey(id)) return undefined;
    const response = yield { method: 'GET', url: `${suunto.apiUrl}/v3/workouts/${id}` };
    if (isUnavailable(response)) return undefined;
    const body = isOk(response) ? WorkoutResponse.safeParse(parseResponseJson(response)).data : undefined;
    if (!body) throw new UnexpectedResponse('Suunto workout', response);
    const { startMs, endMs } = readSuuntoSpan(body.payload);
    return { from: localDayOfInstant(startMs, zone), to: localDayOfInstant(endMs, zone) };
  },
};
