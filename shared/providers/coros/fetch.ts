// What COROS is asked for: workouts and days, by the watch's calendar, 30 days at a time and not older than three months.
import { addDays, datesInRange, utcDay } from '../../platform/time/local-day.ts';
import type { Asked, FetchRules } from '../kit/adapter.ts';
import { lastDateBegun } from '../kit/days-asked.ts';
import type { DayWindow, VendorPage } from '../kit/pages.ts';
import { isOk, type Talk, Unexpected, type VendorReply } from '../kit/vendor.ts';
import { coros } from './descriptor.ts';
import { corosReply } from './reply.ts';

const mostDays = 30;

const resources = [
  { resource: 'sport', url: `${coros.apiUrl}/v2/coros/sport/list` },
  { resource: 'daily', url: `${coros.apiUrl}/coros/daily/query` },
] as const;

/** The watch's calendar may be a day off the person's zone, and an evening is told with the night's day. */
const marginDays = 2;

/** As far as there is anything. */
function windowsOf({ from, to, nowMs }: Asked): DayWindow[] {
  const oldest = addDays(utcDay(nowMs), -coros.historyDays);
  const newest = lastDateBegun(nowMs);
  const [first, last] = [addDays(from, -marginDays), addDays(to, marginDays)];
  const days = datesInRange(first < oldest ? oldest : first, last > newest ? newest : last);
  const windows: DayWindow[] = [];
  for (let at = 0; at < days.length; at += mostDays) {
    const part = days.slice(at, at + mostDays);
    windows.push({ from: part[0] ?? from, to: part.at(-1) ?? to });
  }
  return windows;
}

const compact = (date: string): string => date.replaceAll('-', '');

/** Data that is nothing is a refusal too. */
const isAnswered = (reply: VendorReply): boolean => {
  const told = isOk(reply) ? corosReply(reply.text) : undefined;
  return told?.isFine === true && told.data !== null && told.data !== undefined;
};

/** Refused in their own words, or over HTTP: left out, and then not claimed. */
const isRefused = (reply: VendorReply): boolean =>
  reply.status === 403 || reply.status === 404 || (isOk(reply) && corosReply(reply.text)?.result !== undefined);

interface Listed {
  pages: VendorPage[];
  refusal?: VendorReply;
}

function* listed({ resource, url }: (typeof resources)[number], windows: readonly DayWindow[]): Talk<Listed> {
  const pages: VendorPage[] = [];
  for (const { from, to } of windows) {
    const reply = yield { method: 'GET', url, query: { startDate: compact(from), endDate: compact(to) } };
    if (isAnswered(reply)) pages.push({ resource, text: reply.text, of: from });
    else if (isRefused(reply)) return { pages: [], refusal: reply };
    else throw new Unexpected(`COROS ${resource}`, reply);
  }
  return { pages };
}

export const corosFetch: FetchRules = {
  *window(asked) {
    const windows = windowsOf(asked);
    const all: Listed[] = [];
    for (const each of resources) all.push(yield* listed(each, windows));
    const refusal = all.every((each) => each.refusal) ? all[0]?.refusal : undefined;
    if (refusal) throw new Unexpected('COROS workouts and days', refusal);
    return all.flatMap(({ pages }) => pages);
  },
};
