// What is asked of Oura: documents by day, heart rate by time, and where an announced document lies.
import { addDays } from '../../platform/time/local-day.ts';
import type { Asked, FetchRules } from '../kit/adapter.ts';
import { dayOf } from '../kit/day-of.ts';
import type { VendorPage } from '../kit/pages.ts';
import { daysBeside } from '../kit/pushed-days.ts';
import { isOk, jsonIn, type Talk, Unexpected } from '../kit/vendor.ts';
import { oura } from './descriptor.ts';
import { OuraDocument, OuraPage } from './items.ts';

/** As the collections are called in paths. */
const byDay = ['daily_activity', 'sleep', 'daily_spo2', 'workout', 'session', 'vO2_max'] as const;

const collection = `${oura.apiUrl}/v2/usercollection`;
/**
 * A bare date is midnight of nobody knows which zone, a night starts on the day before its own, and
 * the ring's clock may be most of a day off the person's zone: together less than two days.
 */
const marginDays = 2;
/** Of heart rate in one request. */
const mostDays = 30;
const mostPages = 60;

function* window(asked: Asked): Talk<VendorPage[]> {
  const [first, last] = [addDays(asked.from, -marginDays), addDays(asked.to, marginDays)];
  const pages: VendorPage[] = [];
  for (const resource of byDay) pages.push(...(yield* everyPage(resource, { start_date: first, end_date: last })));
  pages.push(...(yield* heartRate(first, last)));
  return pages;
}

function* heartRate(first: string, last: string): Talk<VendorPage[]> {
  const pages: VendorPage[] = [];
  for (let from = first; from < last; from = addDays(from, mostDays)) {
    const to = addDays(from, mostDays) < last ? addDays(from, mostDays) : last;
    const found = yield* everyPage('heartrate', {
      start_datetime: `${from}T00:00:00+00:00`,
      end_datetime: `${to}T00:00:00+00:00`,
    });
    if (found.length === 0) return [];
    pages.push(...found);
  }
  return pages;
}

/** None where the person, or a membership that ran out, does not allow it. */
function* everyPage(resource: string, bounds: Readonly<Record<string, string>>): Talk<VendorPage[]> {
  const pages: VendorPage[] = [];
  let token: string | undefined;
  do {
    const query = token === undefined ? bounds : { ...bounds, next_token: token };
    const reply = yield { method: 'GET', url: `${collection}/${resource}`, query };
    if (reply.status === 403 || reply.status === 404) return [];
    const page = isOk(reply) ? OuraPage.safeParse(jsonIn(reply)).data : undefined;
    const next = page?.next_token || undefined;
    // A page that leads to itself has no end.
    const isEndless = pages.length >= mostPages || (next !== undefined && next === token);
    if (!page || isEndless) throw new Unexpected(`Oura ${resource}`, reply);
    pages.push({ resource, text: reply.text });
    token = next;
  } while (token !== undefined);
  return pages;
}

const locate: NonNullable<FetchRules['locate']> = function* ({ resource, id }, { zone }) {
  const reply = yield { method: 'GET', url: `${collection}/${pathOf(resource)}/${encodeURIComponent(id)}` };
  if (reply.status === 404 || reply.status === 403) return undefined;
  const document = isOk(reply) ? OuraDocument.safeParse(jsonIn(reply)).data : undefined;
  if (!document) throw new Unexpected(`Oura ${resource}`, reply);
  const { day, bedtime_end: end, start_datetime: start } = document;
  const ms = (end ?? start)?.ms;
  const dates = [day, ...(ms === undefined ? [] : [dayOf(ms, zone) || day])].sort();
  // An edited night may have left the day beside.
  return daysBeside(dates[0] ?? day, dates.at(-1));
};

const pathOf = (dataType: string): string => (dataType === 'vo2_max' ? 'vO2_max' : dataType);

export const ouraFetch: FetchRules = { window, locate };
