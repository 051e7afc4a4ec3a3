// Asks Strava for a stretch of days: the list of activities, then each one's details and heart-rate trace.
import * as z from 'zod';
import { addDays } from '../../platform/time/local-day.ts';
import type { Asked, FetchRules } from '../kit/adapter.ts';
import { dayOf } from '../kit/day-of.ts';
import { daysAsked } from '../kit/days-asked.ts';
import type { VendorPage } from '../kit/pages.ts';
import { isOk, type Talk, Unexpected, type VendorReply, type VendorRequest } from '../kit/vendor.ts';
import { StravaActivity } from './activity.ts';
import { strava } from './descriptor.ts';
import { exactJson, StravaId } from './exact-json.ts';
import { lacksPermission } from './grant.ts';

const perPage = 100;
/** More than anybody has in a window: what goes on longer is not paging. */
const mostPages = 20;
/** Two requests each, of the hundred that a whole deployment has in a quarter of an hour, and only a part of which may go out at once. */
const mostDetails = 18;

const ask = (path: string, query?: Readonly<Record<string, string>>): VendorRequest => ({
  method: 'GET',
  url: `${strava.apiUrl}${path}`,
  ...(query ? { query } : {}),
});

function* window(asked: Asked): Talk<VendorPage[]> {
  const listed = yield* list(asked);
  if (!listed) return [];
  const pages = [...listed.pages];
  const days = daysAsked(asked, asked.zone);
  const newest = [...new Map(listed.activities.map((each) => [each.id, each])).values()]
    .filter((each) => days.holdsInstant(each.start_date))
    .toSorted((a, b) => b.start_date - a.start_date)
    .slice(0, mostDetails);
  for (const { id, has_heartrate } of newest) {
    pages.push(...(yield* part('activity', id, ask(`/activities/${id}`))));
    if (has_heartrate)
      pages.push(
        ...(yield* part(
          'streams',
          id,
          ask(`/activities/${id}/streams`, { keys: 'time,heartrate', key_by_type: 'true' }),
        )),
      );
  }
  return pages;
}

/** Undefined: not allowed. A page may be short without being the last. */
function* list({ from, to }: Asked): Talk<{ pages: VendorPage[]; activities: StravaActivity[] } | undefined> {
  const bounds = { after: seconds(addDays(from, -2)), before: seconds(addDays(to, 3)), per_page: String(perPage) };
  const pages: VendorPage[] = [];
  const activities: StravaActivity[] = [];
  for (let page = 1; ; page++) {
    const reply = yield ask('/athlete/activities', { ...bounds, page: String(page) });
    if (lacksPermission(reply)) return undefined;
    const items = itemsIn(reply);
    if (page === 1 || items.length > 0) pages.push({ resource: 'activities', text: reply.text });
    if (items.length === 0) return { pages, activities };
    if (page > mostPages) throw new Unexpected('Strava lists activities without end', reply);
    activities.push(...items.flatMap((item) => StravaActivity.safeParse(item).data ?? []));
  }
}

function itemsIn(reply: VendorReply): unknown[] {
  const items = isOk(reply) ? z.array(z.unknown()).safeParse(exactJson(reply.text)).data : undefined;
  if (!items) throw new Unexpected('Strava activities', reply);
  return items;
}

/** Not found is an empty text: an activity that was deleted since it was listed, or one that has no trace. */
function* part(resource: string, of: string, request: VendorRequest): Talk<VendorPage[]> {
  const reply = yield request;
  if (isOk(reply)) return [{ resource, of, text: reply.text }];
  if (reply.status === 404) return [{ resource, of, text: '' }];
  if (lacksPermission(reply)) return [];
  throw new Unexpected(`Strava ${resource}`, reply);
}

const seconds = (date: string): string => String(Date.parse(`${date}T00:00:00Z`) / 1000);

export const stravaFetch: FetchRules = {
  window,
  *locate({ resource, id }, { zone }) {
    if (resource !== 'activity' || !StravaId.safeParse(id).success) return undefined;
    const reply = yield ask(`/activities/${id}`);
    if (reply.status === 404 || lacksPermission(reply)) return undefined;
    const activity = isOk(reply) ? StravaActivity.safeParse(exactJson(reply.text)).data : undefined;
    if (!activity) throw new Unexpected('Strava activity', reply);
    const day = dayOf(activity.start_date, zone);
    return { from: day, to: day };
  },
};
