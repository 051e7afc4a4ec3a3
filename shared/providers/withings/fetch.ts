// What Withings is asked for: four lists of the window's days, and for the last month what was measured during each of them.
import * as z from 'zod';
import { addDays, datesInRange, dayBounds, dayMs, utcDay } from '../../platform/time/local-day.ts';
import type { Asked, FetchRules } from '../kit/adapter.ts';
import type { VendorPage } from '../kit/pages.ts';
import type { Talk, VendorReply, VendorRequest } from '../kit/vendor.ts';
import { withings } from './descriptor.ts';
import { isNotAllowed, withingsEnvelope, withingsUnexpected } from './reply.ts';

/** A day of it is a request: further back the daily values must do. */
export const intradayDays = 30;
const mostPages = 40;

interface Resource {
  resource: string;
  scope: string;
  path: string;
  form: Readonly<Record<string, string>>;
}

/** Most values are told only to those who name them. */
const dataFields = {
  activity: 'steps,distance,elevation,soft,moderate,intense,active,calories,totalcalories,hr_average,hr_min,hr_max',
  workouts:
    'calories,distance,steps,elevation,hr_average,hr_min,hr_max,pause_duration,manual_calories,manual_distance,pool_laps,pool_length,strokes',
  sleep:
    'total_timeinbed,total_sleep_time,asleepduration,lightsleepduration,deepsleepduration,remsleepduration,wakeupduration,sleep_latency,sleep_efficiency,hr_average,rr_average,chest_movement_rate_wellness_average,core_body_temperature_avg',
  intraday: 'heart_rate,spo2_auto,rmssd,sdnn1',
};
const measureTypes = '1,4,5,6,8,9,10,11,54,71,73,76,77,88,123';

const epoch = (date: string): string => String(Date.parse(date) / 1000);

/** Lists of days go by the clock of where the person was, and a night begins on the day before its own. */
const marginDays = 2;

function listsOf({ from, to }: Asked): Resource[] {
  const first = addDays(from, -marginDays);
  const last = addDays(to, marginDays);
  const days = { startdateymd: first, enddateymd: last };
  const ofActivity = { scope: 'user.activity' };
  const list = (resource: 'activity' | 'workouts' | 'sleep', path: string, action: string): Resource => ({
    ...ofActivity,
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
        startdate: epoch(first),
        enddate: epoch(addDays(last, 1)),
      },
    },
  ];
}

const request = (path: string, form: Readonly<Record<string, string>>): VendorRequest => ({
  method: 'POST',
  url: `${withings.apiUrl}${path}`,
  form,
});

const More = z.looseObject({
  more: z.union([z.boolean(), z.number()]).nullish(),
  offset: z.number().nullish(),
});

/** Where the next page begins; undefined after the last one. */
function nextOffset(body: unknown): number | undefined {
  const { more, offset } = More.safeParse(body).data ?? {};
  return more && typeof offset === 'number' ? offset : undefined;
}

/** Undefined: this app or this person's consent does not reach so far. */
function answered(what: string, reply: VendorReply): { body: unknown } | undefined {
  const envelope = withingsEnvelope(reply);
  // An empty list may be left out, but not the body around it.
  if (envelope?.status === 0 && z.looseObject({}).safeParse(envelope.body).success) return { body: envelope.body };
  if (reply.status === 403 || (envelope && isNotAllowed(envelope))) return undefined;
  throw withingsUnexpected(what, reply);
}

function* everyPage({ resource, path, form }: Resource): Talk<VendorPage[]> {
  const pages: VendorPage[] = [];
  let offset: number | undefined;
  do {
    const reply: VendorReply = yield request(path, offset === undefined ? form : { ...form, offset: String(offset) });
    const answer = answered(resource, reply);
    if (!answer) return [];
    pages.push({ resource, text: reply.text });
    const next = nextOffset(answer.body);
    if (next !== undefined && (next === offset || pages.length >= mostPages))
      throw withingsUnexpected(`${resource} without an end`, reply);
    offset = next;
  } while (offset !== undefined);
  return pages;
}

/**
 * Only the first 24 hours of what is asked for are answered: a request for each UTC day that touches
 * one of the person's days.
 */
function* intraday({ from, to, zone, nowMs }: Asked): Talk<VendorPage[]> {
  const oldest = utcDay(nowMs - intradayDays * dayMs);
  const first = utcDay(dayBounds(from, zone).startMs);
  const last = utcDay(dayBounds(to, zone).endMs - 1);
  const pages: VendorPage[] = [];
  for (const date of datesInRange(first > oldest ? first : oldest, last)) {
    if (Date.parse(date) > nowMs) break;
    const bounds = { startdate: epoch(date), enddate: epoch(addDays(date, 1)) };
    const form = { action: 'getintradayactivity', ...bounds, data_fields: dataFields.intraday };
    const reply = yield request('/v2/measure', form);
    if (!answered('intraday', reply)) return [];
    pages.push({ resource: 'intraday', text: reply.text, of: date });
  }
  return pages;
}

const isAllowed = ({ scopes }: Asked, scope: string): boolean => scopes === null || scopes.includes(scope);

export const withingsFetch: FetchRules = {
  *window(asked) {
    const pages: VendorPage[] = [];
    for (const list of listsOf(asked)) if (isAllowed(asked, list.scope)) pages.push(...(yield* everyPage(list)));
    if (isAllowed(asked, 'user.activity')) pages.push(...(yield* intraday(asked)));
    return pages;
  },
};
