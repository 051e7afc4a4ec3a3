// What Garmin may be asked: to send older days again, which it then does, and for what it has
// announced.
import * as z from 'zod';
import { dayBounds, dayMs } from '../../platform/time/local-day.ts';
import type { Asked, FetchRules } from '../kit/adapter.ts';
import type { VendorPage } from '../kit/pages.ts';
import { isOk, jsonIn, type Talk, Unexpected, type VendorReply } from '../kit/vendor.ts';
import { garmin } from './descriptor.ts';
import { collectGarmin } from './ping.ts';

/** In Garmin's own words, some of which differ from those in its pushes. Details come after summaries, which know less. */
const types = [
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
const longestMs = 30 * dayMs;

interface Span {
  startMs: number;
  endMs: number;
}

/** Windows that follow each other must not overlap: what was asked for before is refused, and is not sent again. */
function spansOf({ from, to, zone, nowMs }: Asked): Span[] {
  const { startMs } = dayBounds(from, zone);
  const endMs = Math.min(dayBounds(to, zone).endMs, nowMs);
  const spans: Span[] = [];
  for (let at = startMs; at < endMs; at += longestMs)
    spans.push({ startMs: at, endMs: Math.min(at + longestMs, endMs) });
  return spans;
}

const seconds = (ms: number): string => String(Math.floor(ms / 1000));

const Refusal = z.looseObject({ errorMessage: z.string() });
const refusalIn = (reply: VendorReply): string => Refusal.safeParse(jsonIn(reply)).data?.errorMessage ?? '';

/** The earliest time that may be asked for, where that is why it was refused. */
function earliestIn(refusal: string): number | undefined {
  const [, text = ''] = /min start time of (\S+)/.exec(refusal) ?? [];
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : Math.ceil(ms / 1000) * 1000;
}

/** False when the person has not allowed older data: then no other type is worth asking for. */
function* backfill(type: string, { startMs, endMs }: Span): Talk<boolean> {
  const reply = yield {
    method: 'GET',
    url: `${garmin.apiUrl}/wellness-api/rest/backfill/${type}`,
    query: { summaryStartTimeInSeconds: seconds(startMs), summaryEndTimeInSeconds: seconds(endMs) },
  };
  // 409: it was asked for before.
  if (isOk(reply) || reply.status === 409) return true;
  if (reply.status === 403) return false;
  const refusal = reply.status === 400 ? refusalIn(reply) : '';
  const earliestMs = earliestIn(refusal);
  if (earliestMs !== undefined && earliestMs > startMs)
    return earliestMs >= endMs || (yield* backfill(type, { startMs: earliestMs, endMs }));
  if (/endpoint not enabled/i.test(refusal)) return true;
  throw new Unexpected(`Garmin backfill of ${type}`, reply);
}

export const garminFetch: FetchRules = {
  *window(asked): Talk<VendorPage[]> {
    for (const span of spansOf(asked))
      for (const type of types) {
        const isAllowed = yield* backfill(type, span);
        if (!isAllowed) return [];
      }
    return [];
  },
  collect: collectGarmin,
};
