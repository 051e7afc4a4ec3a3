// The requests that Garmin allows: a backfill, which makes it push older days again, and fetching
// the URLs that it has announced.
import * as z from 'zod';
import { dayBounds, dayMs } from '../../platform/time/local-day.ts';
import type { FetchAdapter, FetchRequest } from '../kit/adapter.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import {
  isOk,
  type ProviderResponse,
  parseResponseJson,
  type RequestFlow,
  UnexpectedResponse,
} from '../kit/request-flow.ts';
import { garmin } from './descriptor.ts';
import { fetchGarminCallback } from './ping.ts';

/**
 * Garmin's own names, some of which differ from those in its pushes. Details come after summaries,
 * which contain less.
 */
const backfillTypes = [
  'dailies',
  'sleeps',
  'hrv',
  'pulseOx',
  'respiration',
  'stressDetails',
  'bodyComps',
  'bloodPressures',
  'userMetrics',
  'activities',
  'activityDetails',
];
const maxSpanMs = 30 * dayMs;

interface Span {
  startMs: number;
  endMs: number;
}

/**
 * Consecutive windows must not overlap: Garmin refuses a range that was requested before, and does
 * not send it again.
 */
function splitSpans({ from, to, zone, nowMs }: FetchRequest): Span[] {
  const { startMs } = dayBounds(from, zone);
  const endMs = Math.min(dayBounds(to, zone).endMs, nowMs);
  const spans: Span[] = [];
  for (let at = startMs; at < endMs; at += maxSpanMs)
    spans.push({ startMs: at, endMs: Math.min(at + maxSpanMs, endMs) });
  return spans;
}

const toEpochSeconds = (ms: number): string => String(Math.floor(ms / 1000));

const ErrorBody = z.looseObject({ errorMessage: z.string() });
const readErrorMessage = (response: ProviderResponse): string =>
  ErrorBody.safeParse(parseResponseJson(response)).data?.errorMessage ?? '';

/** The earliest time that may be requested, if that is why Garmin refused. */
function readMinStartMs(errorMessage: string): number | undefined {
  const [, text = ''] = /min start time of (\S+)/.exec(errorMessage) ?? [];
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : Math.ceil(ms / 1000) * 1000;
}

/**
 * False if the user has not allowed historical data: requesting any other type is then pointless.
 */
function* requestBackfill(type: string, { startMs, endMs }: Span): RequestFlow<boolean> {
  const response = yield {
    method: 'GET',
    url: `${garmin.apiUrl}/wellness-api/rest/backfill/${type}`,
    query: { summaryStartTimeInSeconds: toEpochSeconds(startMs), summaryEndTimeInSeconds: toEpochSeconds(endMs) },
  };
  // 409: this range was requested before.
  if (isOk(response) || response.status === 409) return true;
  if (response.status === 403) return false;
  const errorMessage = response.status === 400 ? readErrorMessage(response) : '';
  const minStartMs = readMinStartMs(errorMessage);
  if (minStartMs !== undefined && minStartMs > startMs)
    return minStartMs >= endMs || (yield* requestBackfill(type, { startMs: minStartMs, endMs }));
  if (/endpoint not enabled/i.test(errorMessage)) return true;
  throw new UnexpectedResponse(`Garmin backfill of ${type}`, response);
}

export const garminFetch: FetchAdapter = {
  *fetchWindow(requested): RequestFlow<ProviderPage[]> {
    for (const span of splitSpans(requested))
      for (const type of backfillTypes) {
        const isAllowed = yield* requestBackfill(type, span);
        if (!isAllowed) return [];
      }
    return [];
  },
  collect: fetchGarminCallback,
};
