// What Google Health is asked for: totals of each day, the heart rate in five-minute averages, every other type merged as its own app shows it,
// and the beats during each workout.
import * as z from 'zod';
import { addDays, daysBetween } from '../../platform/time/local-day.ts';
import type { Asked, FetchRules } from '../kit/adapter.ts';
import { datesOfVendor, daysAsked } from '../kit/days-asked.ts';
import type { DayWindow, VendorPage } from '../kit/pages.ts';
import { isOk, jsonIn, type Talk, Unexpected, type VendorReply, type VendorRequest } from '../kit/vendor.ts';
import { isNotLinked, isScopeMissing } from './api-error.ts';
import {
  coursePage,
  heartRatePage,
  type PointType,
  pointTypes,
  rollupPage,
  rollupTypes,
  settingsPage,
  tracePage,
} from './data-types.ts';
import { locateSession } from './locate.ts';
import { type GoogleSession, googleSessions } from './sessions.ts';
import { operationUrl, settingsUrl } from './urls.ts';

/** No range of the heart rate, the calories and the minutes may be longer. */
const mostDays = 14;
const mostPages = 60;
/** The beats of so many workouts are asked for, the latest ones first. */
const mostTraces = 40;
const averagedOver = '300s';
/** Distances are told minute by minute, by some devices in quarters of an hour. */
const longestPointMs = 900_000;

/** The person has no health profile: there is nothing to read, and nothing is wrong. */
class NoProfile extends Error {}

const More = z.looseObject({ nextPageToken: z.string().nullish() });

/** Undefined: the person has not allowed it, or there is no such type for them. */
function* everyPage(
  page: Pick<VendorPage, 'resource' | 'of'>,
  request: (pageToken: string | undefined) => VendorRequest,
): Talk<VendorPage[] | undefined> {
  const pages: VendorPage[] = [];
  let token: string | undefined;
  do {
    const reply: VendorReply = yield request(token);
    if (isNotLinked(reply)) throw new NoProfile();
    if (isScopeMissing(reply) || reply.status === 404) return undefined;
    const next = More.safeParse(jsonIn(reply)).data?.nextPageToken || undefined;
    // A page that leads to itself has no end.
    const isEndless = pages.length >= mostPages || (next !== undefined && next === token);
    if (!isOk(reply) || isEndless) throw new Unexpected(`Google Health ${page.resource}`, reply);
    pages.push({ ...page, text: reply.text });
    token = next;
  } while (token !== undefined);
  return pages;
}

/** Runs of days that are not longer than Google allows. */
function runs({ from, to }: DayWindow): DayWindow[] {
  const days = daysBetween(from, to) + 1;
  return Array.from({ length: Math.ceil(days / mostDays) }, (_, at) => {
    const first = addDays(from, at * mostDays);
    const last = addDays(first, mostDays - 1);
    return { from: first, to: last < to ? last : to };
  });
}

const civil = (date: string): object => {
  const [year, month, day] = date.split('-').map(Number);
  return { date: { year, month, day } };
};
const instant = (date: string): string => `${date}T00:00:00Z`;
const paged = (pageToken: string | undefined): { pageToken?: string } => (pageToken === undefined ? {} : { pageToken });

/** Days on the person's own wall: none more is needed. */
function* dailyTotals(type: string, asked: DayWindow): Talk<VendorPage[]> {
  const pages: VendorPage[] = [];
  for (const { from, to } of runs(asked)) {
    const range = { start: civil(from), end: civil(addDays(to, 1)) };
    const found = yield* everyPage({ resource: rollupPage(type) }, (token) => ({
      method: 'POST',
      url: operationUrl(type, 'dailyRollUp'),
      json: { range, windowSizeDays: 1, ...paged(token) },
    }));
    if (!found) return [];
    pages.push(...found);
  }
  return pages;
}

function* heartRate(asked: DayWindow): Talk<VendorPage[]> {
  const pages: VendorPage[] = [];
  for (const { from, to } of runs(around(asked))) {
    const range = { startTime: instant(from), endTime: instant(addDays(to, 1)) };
    const found = yield* everyPage({ resource: heartRatePage }, (token) => ({
      method: 'POST',
      url: operationUrl('heart-rate', 'rollUp'),
      json: { range, windowSize: averagedOver, pageSize: 10_000, ...paged(token) },
    }));
    if (!found) return [];
    pages.push(...found);
  }
  return pages;
}

const around = ({ from, to }: DayWindow): DayWindow => ({ from: addDays(from, -1), to: addDays(to, 1) });

const between = (field: string, from: string, before: string): string =>
  `${field} >= "${from}" AND ${field} < "${before}"`;

function filterFor({ type, by }: PointType, asked: Asked): string {
  const name = type.replaceAll('-', '_');
  const { from, to } = around(asked);
  const before = addDays(to, 1);
  const onWall = datesOfVendor(asked, asked.zone);
  switch (by) {
    case 'date':
      return between(`${name}.date`, from, before);
    case 'sample':
      return between(`${name}.sample_time.physical_time`, instant(from), instant(before));
    case 'civil_start':
      return between(
        `${name}.interval.civil_start_time`,
        `${onWall.from}T00:00:00`,
        `${addDays(onWall.to, 1)}T00:00:00`,
      );
    case 'end':
      return between(`${name}.interval.end_time`, instant(from), instant(before));
  }
}

const reconciled =
  (type: string, filter: string, pageSize: number) =>
  (token: string | undefined): VendorRequest => ({
    method: 'GET',
    url: operationUrl(type, 'reconcile'),
    query: { filter, pageSize: String(pageSize), ...paged(token) },
  });

/** Workouts come without their highest heart rate, and some without how far they went. */
function* duringWorkouts(pages: readonly VendorPage[], asked: Asked): Talk<VendorPage[]> {
  const days = daysAsked(asked, asked.zone);
  const exercises = googleSessions(pages, 'exercise')
    .filter(({ startMs }) => days.holdsInstant(startMs))
    .toSorted((a, b) => b.startMs - a.startMs)
    .slice(0, mostTraces);
  const beats = yield* duringEach(exercises, tracePage, 'heart-rate', 'heart_rate.sample_time.physical_time');
  const unmeasured = exercises
    .filter(({ hasDistance }) => !hasDistance)
    // A point that has begun before the workout tells of its first seconds.
    .map((each) => ({ ...each, startMs: each.startMs - longestPointMs }));
  return [...beats, ...(yield* duringEach(unmeasured, coursePage, 'distance', 'distance.interval.start_time'))];
}

/** None where the person has not allowed it. */
function* duringEach(
  sessions: readonly GoogleSession[],
  resource: string,
  type: string,
  field: string,
): Talk<VendorPage[]> {
  const found: VendorPage[] = [];
  for (const { id, startMs, endMs } of sessions) {
    const [from, before] = [startMs, endMs].map((ms) => new Date(ms).toISOString());
    if (from === undefined || before === undefined) continue;
    const own = yield* everyPage({ resource, of: id }, reconciled(type, between(field, from, before), 10_000));
    if (!own) return [];
    found.push(...own);
  }
  return found;
}

/** They name the person's zone, which is needed only while the profile has none. */
function* settings({ zone }: Asked): Talk<VendorPage[]> {
  if (zone !== null) return [];
  const reply = yield { method: 'GET', url: settingsUrl };
  return isOk(reply) ? [{ resource: settingsPage, text: reply.text }] : [];
}

function* everything(asked: Asked): Talk<VendorPage[]> {
  const pages: VendorPage[] = [];
  for (const type of rollupTypes) pages.push(...(yield* dailyTotals(type, asked)));
  pages.push(...(yield* heartRate(asked)));
  for (const each of pointTypes) {
    const { type, pageSize } = each;
    const found = yield* everyPage({ resource: type }, reconciled(type, filterFor(each, asked), pageSize));
    pages.push(...(found ?? []));
  }
  return [...pages, ...(yield* duringWorkouts(pages, asked)), ...(yield* settings(asked))];
}

export const googleHealthFetch: FetchRules = {
  *window(asked) {
    try {
      return yield* everything(asked);
    } catch (error) {
      if (error instanceof NoProfile) return [];
      throw error;
    }
  },
  locate: locateSession,
};
