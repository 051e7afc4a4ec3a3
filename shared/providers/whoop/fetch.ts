// Fetches four lists from WHOOP, newest first, and locates the days of an announced sleep or
// workout.
import { dayBounds, dayMs } from '../../platform/time/local-day.ts';
import type { FetchAdapter, FetchRequest } from '../kit/adapter.ts';
import { withAdjacentDays } from '../kit/day-windows.ts';
import { isValidInstant, localDayOfInstant } from '../kit/local-day-of-instant.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import { isOk, parseResponseJson, type RequestFlow, UnexpectedResponse } from '../kit/request-flow.ts';
import { whoop } from './descriptor.ts';
import { WhoopPage, WhoopSleep, WhoopWorkout } from './items.ts';

const listEndpoints = [
  { resource: 'cycle', path: '/v2/cycle', scope: 'read:cycles' },
  { resource: 'sleep', path: '/v2/activity/sleep', scope: 'read:sleep' },
  { resource: 'recovery', path: '/v2/recovery', scope: 'read:recovery' },
  { resource: 'workout', path: '/v2/activity/workout', scope: 'read:workout' },
] as const;

const pageLimit = '25';
const maxPages = 60;

function* fetchWindow(requested: FetchRequest): RequestFlow<ProviderPage[]> {
  const { startMs } = dayBounds(requested.from, requested.zone);
  const { endMs } = dayBounds(requested.to, requested.zone);
  // The end is exclusive. WHOOP returns what overlaps these days, and a cycle counts by the sleep
  // that it began with, or half a day after its start.
  const bounds = {
    start: new Date(startMs - dayMs).toISOString(),
    end: new Date(endMs).toISOString(),
    limit: pageLimit,
  };
  const pages: ProviderPage[] = [];
  for (const { resource, path, scope } of listEndpoints)
    if (requested.scopes === null || requested.scopes.includes(scope))
      pages.push(...(yield* fetchAllPages(resource, path, bounds)));
  return pages;
}

/** Empty if it is not allowed. */
function* fetchAllPages(
  resource: string,
  path: string,
  bounds: Readonly<Record<string, string>>,
): RequestFlow<ProviderPage[]> {
  const pages: ProviderPage[] = [];
  let token: string | undefined;
  do {
    const query = token === undefined ? bounds : { ...bounds, nextToken: token };
    const response = yield { method: 'GET', url: `${whoop.apiUrl}${path}`, query };
    if (response.status === 403 || response.status === 404) return [];
    const page = isOk(response) ? WhoopPage.safeParse(parseResponseJson(response)).data : undefined;
    const next = page?.next_token || undefined;
    // A page whose next page is itself would repeat forever.
    const isEndless = pages.length >= maxPages || (next !== undefined && next === token);
    if (!page || isEndless) throw new UnexpectedResponse(`WHOOP ${resource}`, response);
    pages.push({ resource, text: response.text });
    token = next;
  } while (token !== undefined);
  return pages;
}

/** A recovery is announced by the id of its sleep. */
const locate: NonNullable<FetchAdapter['locate']> = function* ({ resource, id }, { zone }) {
  const kind = resource === 'workout' ? 'workout' : 'sleep';
  const response = yield { method: 'GET', url: `${whoop.apiUrl}/v2/activity/${kind}/${encodeURIComponent(id)}` };
  if (response.status === 404 || response.status === 403) return undefined;
  const json = isOk(response) ? parseResponseJson(response) : undefined;
  const record = kind === 'workout' ? WhoopWorkout.safeParse(json).data : WhoopSleep.safeParse(json).data;
  if (!record) throw new UnexpectedResponse(`WHOOP ${resource}`, response);
  const ms = kind === 'workout' ? record.start : record.end;
  // An edited record may have moved here from an adjacent day.
  return isValidInstant(ms) ? withAdjacentDays(localDayOfInstant(ms, zone)) : undefined;
};

export const whoopFetch: FetchAdapter = { fetchWindow, locate };
