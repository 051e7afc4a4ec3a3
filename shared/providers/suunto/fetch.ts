// What Suunto is asked for: nights, activity, daily statistics and workouts, each at most 28 days at a time.
import * as z from 'zod';
import { addDays, dayBounds, dayMs } from '../../platform/time/local-day.ts';
import type { Asked, FetchRules } from '../kit/adapter.ts';
import { dayOf } from '../kit/day-of.ts';
import type { VendorPage } from '../kit/pages.ts';
import { isOk, jsonIn, type Talk, Unexpected, type VendorReply } from '../kit/vendor.ts';
import { suunto } from './descriptor.ts';
import { SuuntoWorkout, suuntoSpan } from './items.ts';

const longestMs = 28 * dayMs;
const pageSize = 100;
const mostPages = 20;

interface Span {
  fromMs: number;
  untilMs: number;
}

/**
 * By the calendar of UTC and two days more on either side: wherever the person lives, the days asked
 * for are whole, and so are the nights before them.
 */
function spansOf({ from, to, nowMs }: Asked): Span[] {
  const first = dayBounds(addDays(from, -2), null).startMs;
  const last = Math.min(dayBounds(addDays(to, 2), null).endMs, nowMs + dayMs);
  return cut(first, last);
}

function cut(fromMs: number, untilMs: number): Span[] {
  const spans: Span[] = [];
  for (let at = fromMs; at < untilMs; at += longestMs)
    spans.push({ fromMs: at, untilMs: Math.min(at + longestMs, untilMs) });
  return spans;
}

/** Not allowed, or not there: left out, and then not claimed. */
const isLeftOut = ({ status }: VendorReply): boolean => status === 403 || status === 404;

const List = z.array(z.unknown());
const WorkoutPage = z.looseObject({ error: z.unknown().optional(), payload: List });

/** The last millisecond belongs to the span before it, whether or not the end counts. */
function* samples(resource: 'sleep' | 'activity', spans: readonly Span[]): Talk<VendorPage[]> {
  const pages: VendorPage[] = [];
  for (const { fromMs, untilMs } of spans) {
    const query = { from: String(fromMs), to: String(untilMs - 1) };
    const reply = yield { method: 'GET', url: `${suunto.apiUrl}/247samples/${resource}`, query };
    if (isLeftOut(reply)) return [];
    if (!isOk(reply) || !List.safeParse(jsonIn(reply)).success) throw new Unexpected(`Suunto ${resource}`, reply);
    pages.push({ resource, text: reply.text });
  }
  return pages;
}

/** Written without a zone, and meant as UTC. */
const written = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

/** From midnight to midnight where the person is: the days of the answer begin at the clock time of the first. */
function* statistics({ from, to, zone, nowMs }: Asked): Talk<VendorPage[]> {
  const first = dayBounds(addDays(from, -1), zone).startMs;
  const last = Math.min(dayBounds(addDays(to, 1), zone).endMs, nowMs + dayMs);
  const pages: VendorPage[] = [];
  for (const { fromMs, untilMs } of cut(first, last)) {
    const query = { startdate: written(fromMs), enddate: written(untilMs) };
    let reply = yield { method: 'GET', url: `${suunto.apiUrl}/247samples/daily-activity-statistics`, query };
    if (reply.status === 404)
      reply = yield { method: 'GET', url: `${suunto.apiUrl}/247/daily-activity-statistics`, query };
    if (isLeftOut(reply)) return [];
    if (!isOk(reply) || !List.safeParse(jsonIn(reply)).success) throw new Unexpected('Suunto statistics', reply);
    pages.push({ resource: 'statistics', text: reply.text, of: zone ?? 'UTC' });
  }
  return pages;
}

function* workouts(spans: readonly Span[]): Talk<VendorPage[]> {
  const pages: VendorPage[] = [];
  for (const { fromMs, untilMs } of spans)
    for (let offset = 0; ; offset += pageSize) {
      const reply = yield {
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
      if (isLeftOut(reply)) return [];
      const page = isOk(reply) ? WorkoutPage.safeParse(jsonIn(reply)).data : undefined;
      if (!page || (page.error ?? null) !== null || pages.length >= mostPages)
        throw new Unexpected('Suunto workouts', reply);
      pages.push({ resource: 'workouts', text: reply.text });
      if (page.payload.length < pageSize) break;
    }
  return pages;
}

const isKey = (text: string): boolean => /^\w{1,64}$/.test(text);
const OneWorkout = z.looseObject({ payload: SuuntoWorkout });

export const suuntoFetch: FetchRules = {
  *window(asked) {
    const spans = spansOf(asked);
    return [
      ...(yield* samples('sleep', spans)),
      ...(yield* samples('activity', spans)),
      ...(yield* statistics(asked)),
      ...(yield* workouts(spans)),
    ];
  },
  *locate({ resource, id }, { zone }) {
    if (resource !== 'workout' || !isKey(id)) return undefined;
    const reply = yield { method: 'GET', url: `${suunto.apiUrl}/v3/workouts/${id}` };
    if (isLeftOut(reply)) return undefined;
    const found = isOk(reply) ? OneWorkout.safeParse(jsonIn(reply)).data : undefined;
    if (!found) throw new Unexpected('Suunto workout', reply);
    const { startMs, endMs } = suuntoSpan(found.payload);
    return { from: dayOf(startMs, zone), to: dayOf(endMs, zone) };
  },
};
