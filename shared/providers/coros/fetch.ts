// Fetches workouts and days from COROS. Dates follow the watch's calendar; a request covers at most
// 30 days and reaches back at most three months.
import { addDays, datesInRange, utcDay } from '../../platform/time/local-day.ts';
import type { FetchAdapter, FetchRequest } from '../kit/adapter.ts';
import type { DayWindow, ProviderPage } from '../kit/provider-pages.ts';
import { isOk, type ProviderResponse, type RequestFlow, UnexpectedResponse } from '../kit/request-flow.ts';
import { latestDateWorldwide } from '../kit/requested-days.ts';
import { coros } from './descriptor.ts';
import { parseCorosResponse } from './response.ts';

const maxDays = 30;

const resources = [
  { resource: 'sport', url: `${coros.apiUrl}/v2/coros/sport/list` },
  { resource: 'daily', url: `${coros.apiUrl}/coros/daily/query` },
] as const;

/**
 * The watch's calendar may be a day off the user's zone, and an evening is filed under the date of
 * the night that follows it.
 */
const marginDays = 2;

/** Limits the window to the days that COROS has data for. */
function splitWindow({ from, to, nowMs }: FetchRequest): DayWindow[] {
  const oldest = addDays(utcDay(nowMs), -coros.historyDays);
  const newest = latestDateWorldwide(nowMs);
  const [first, last] = [addDays(from, -marginDays), addDays(to, marginDays)];
  const days = datesInRange(first < oldest ? oldest : first, last > newest ? newest : last);
  const windows: DayWindow[] = [];
  for (let at = 0; at < days.length; at += maxDays) {
    const chunk = days.slice(at, at + maxDays);
    windows.push({ from: chunk[0] ?? from, to: chunk.at(-1) ?? to });
  }
  return windows;
}

const toCompactDate = (date: string): string => date.replaceAll('-', '');

/** A success response without data also counts as a refusal. */
const hasData = (response: ProviderResponse): boolean => {
  const body = isOk(response) ? parseCorosResponse(response.text) : undefined;
  return body?.isSuccess === true && body.data !== null && body.data !== undefined;
};

/**
 * True if COROS refuses in its result code or by HTTP status (403, 404). The list is then left out
 * and not claimed as covered.
 */
const isRefused = (response: ProviderResponse): boolean =>
  response.status === 403 ||
  response.status === 404 ||
  (isOk(response) && parseCorosResponse(response.text)?.result !== undefined);

interface ListResult {
  pages: ProviderPage[];
  refusal?: ProviderResponse;
}

function* fetchList(
  { resource, url }: (typeof resources)[number],
  windows: readonly DayWindow[],
): RequestFlow<ListResult> {
  const pages: ProviderPage[] = [];
  for (const { from, to } of windows) {
    const response = yield {
      method: 'GET',
      url,
      query: { startDate: toCompactDate(from), endDate: toCompactDate(to) },
    };
    if (hasData(response)) pages.push({ resource, text: response.text, parameter: from });
    else if (isRefused(response)) return { pages: [], refusal: response };
    else throw new UnexpectedResponse(`COROS ${resource}`, response);
  }
  return { pages };
}

export const corosFetch: FetchAdapter = {
  *fetchWindow(requested) {
    const windows = splitWindow(requested);
    const all: ListResult[] = [];
    for (const each of resources) all.push(yield* fetchList(each, windows));
    const refusal = all.every((each) => each.refusal) ? all[0]?.refusal : undefined;
    if (refusal) throw new UnexpectedResponse('COROS workouts and days', refusal);
    return all.flatMap(({ pages }) => pages);
  },
};
