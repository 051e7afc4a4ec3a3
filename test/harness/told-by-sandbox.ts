// A talk that the sandbox's shapes of a vendor answer, over days written down by a test.
import { addDays, datesInRange } from '../../shared/model/local-day.ts';
import type { Talk, VendorReply, VendorRequest } from '../../shared/providers/vendor.ts';
import type { LifeDay } from '../../shared/sandbox/cloud/life.ts';
import { type ItemsOf, type VendorShapes, vendorJson } from '../../shared/sandbox/cloud/shapes.ts';
import { type Conversation, serve } from './talking.ts';

/** Nothing of it known. */
export function emptyDay(date: string): LifeDay {
  return {
    date,
    zone: 'UTC',
    startMs: Date.parse(date),
    endMs: Date.parse(addDays(date, 1)),
    steps: null,
    distanceKm: null,
    activeKcal: null,
    restingKcal: null,
    exerciseMinutes: null,
    restingBpm: null,
    minBpm: null,
    maxBpm: null,
    sleepBpm: null,
    rmssdMs: null,
    breathsPerMinute: null,
    oxygenPct: null,
    skinCelsius: null,
    vo2Max: null,
    weightKg: null,
    bodyFatPct: null,
    sleeps: [],
    workouts: [],
    heartRate: [],
    variability: [],
    walked: [],
  };
}

export interface Played {
  shapes: VendorShapes;
  items: ItemsOf;
  account: string;
  nowMs: number;
}

/** The items of a life, or a test's own where it has written some down. */
export function itemsOfDays(
  shapes: VendorShapes,
  days: readonly LifeDay[],
  account: string,
  written: Readonly<Record<string, readonly unknown[]>> = {},
): ItemsOf {
  return (resource, dates) => {
    const asked = dates && new Set(datesInRange(dates.from, dates.to));
    const touched = days.filter(({ date }) => !asked || asked.has(date));
    return written[resource] ?? shapes.items(resource, touched, account);
  };
}

export function answerOf({ shapes, items, account, nowMs }: Played, request: VendorRequest): VendorReply {
  const { host, pathname, searchParams } = new URL(request.url);
  const told = shapes.answer(
    {
      method: request.method,
      host,
      path: pathname,
      query: { ...Object.fromEntries(searchParams), ...request.query },
      form: request.form ?? {},
      json: request.json,
      account,
      nowMs,
    },
    items,
  );
  return told ?? vendorJson({ error: 'not_found' }, 404);
}

export const toldBySandbox = <Result>(talk: Talk<Result>, played: Played): Conversation<Result> =>
  serve(talk, (request) => answerOf(played, request));
