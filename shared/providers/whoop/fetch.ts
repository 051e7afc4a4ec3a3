// What is asked of WHOOP: four lists, newest first, and where an announced sleep or workout lies.
import { dayBounds, dayMs } from '../../platform/time/local-day.ts';
import type { Asked, FetchRules } from '../kit/adapter.ts';
import { dayOf, isDated } from '../kit/day-of.ts';
import type { VendorPage } from '../kit/pages.ts';
import { daysBeside } from '../kit/pushed-days.ts';
import { isOk, jsonIn, type Talk, Unexpected } from '../kit/vendor.ts';
import { whoop } from './descriptor.ts';
import { WhoopPage, WhoopSleep, WhoopWorkout } from './items.ts';

const lists = [
  { resource: 'cycle', path: '/v2/cycle', scope: 'read:cycles' },
  { resource: 'sleep', path: '/v2/activity/sleep', scope: 'read:sleep' },
  { resource: 'recovery', path: '/v2/recovery', scope: 'read:recovery' },
  { resource: 'workout', path: '/v2/activity/workout', scope: 'read:workout' },
] as const;

const mostAPage = '25';
const mostPages = 60;

function* window(asked: Asked): Talk<VendorPage[]> {
  const { startMs } = dayBounds(asked.from, asked.zone);
  const { endMs } = dayBounds(asked.to, asked.zone);
  // The end is exclusive. What reaches into these days is told, and a cycle counts by the sleep that
  // it began with, or half a day after that.
  const bounds = {
    start: new Date(startMs - dayMs).toISOString(),
    end: new Date(endMs).toISOString(),
    limit: mostAPage,
  };
  const pages: VendorPage[] = [];
  for (const { resource, path, scope } of lists)
    if (asked.scopes === null || asked.scopes.includes(scope))
      pages.push(...(yield* everyPage(resource, path, bounds)));
  return pages;
}

/** None where it is not allowed. */
function* everyPage(resource: string, path: string, bounds: Readonly<Record<string, string>>): Talk<VendorPage[]> {
  const pages: VendorPage[] = [];
  let token: string | undefined;
  do {
    const query = token === undefined ? bounds : { ...bounds, nextToken: token };
    const reply = yield { method: 'GET', url: `${whoop.apiUrl}${path}`, query };
    if (reply.status === 403 || reply.status === 404) return [];
    const page = isOk(reply) ? WhoopPage.safeParse(jsonIn(reply)).data : undefined;
    const next = page?.next_token || undefined;
    // A page that leads to itself has no end.
    const isEndless = pages.length >= mostPages || (next !== undefined && next === token);
    if (!page || isEndless) throw new Unexpected(`WHOOP ${resource}`, reply);
    pages.push({ resource, text: reply.text });
    token = next;
  } while (token !== undefined);
  return pages;
}

/** A recovery is announced by its sleep. */
const locate: NonNullable<FetchRules['locate']> = function* ({ resource, id }, { zone }) {
  const kind = resource === 'workout' ? 'workout' : 'sleep';
  const reply = yield { method: 'GET', url: `${whoop.apiUrl}/v2/activity/${kind}/${encodeURIComponent(id)}` };
  if (reply.status === 404 || reply.status === 403) return undefined;
  const json = isOk(reply) ? jsonIn(reply) : undefined;
  const found = kind === 'workout' ? WhoopWorkout.safeParse(json).data : WhoopSleep.safeParse(json).data;
  if (!found) throw new Unexpected(`WHOOP ${resource}`, reply);
  const ms = kind === 'workout' ? found.start : found.end;
  // What was edited may have left the day beside.
  return isDated(ms) ? daysBeside(dayOf(ms, zone)) : undefined;
};

export const whoopFetch: FetchRules = { window, locate };
