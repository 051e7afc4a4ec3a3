// The stages of Withings' sleeps, which are requested separately: at most 24 hours at a time. A
// response has the stages of all sleeps and devices in that time.
import * as z from 'zod';
import type { SleepStage } from '../../catalog/sleep-stages.ts';
import type { FetchRequest } from '../kit/adapter.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import type { ReadItem } from '../kit/read-items.ts';
import type { NightStage, RecordBuilder } from '../kit/record-builder.ts';
import { createRequestedDays } from '../kit/requested-days.ts';
import { readWithingsBodies, readWithingsItems, WithingsSeconds, withingsNumber, withingsText } from './items.ts';

const daySeconds = 86_400;
/** All users share the provider's rate limit, so older nights have no stages. */
export const stageDays = 14;
/** Enough for someone who goes to sleep every 17 hours. With the other requests it fits the limit. */
const maxRequests = 20;

const Sleep = z.looseObject({ startdate: WithingsSeconds, enddate: WithingsSeconds });
type SecondsSpan = z.infer<typeof Sleep>;

/** The spans to request, each of which contains one or more of the listed sleeps. */
export function listStageSpans(
  lists: readonly ProviderPage[],
  { from, to, zone, nowMs }: FetchRequest,
): { startdate: string; enddate: string }[] {
  const days = createRequestedDays({ from, to }, zone);
  const oldest = nowMs / 1000 - stageDays * daySeconds;
  const sleeps = readWithingsBodies(lists, 'sleep')
    .flatMap(({ body }) => z.array(z.unknown()).safeParse(body['series']).data ?? [])
    .flatMap((item) => Sleep.safeParse(item).data ?? [])
    .filter(({ startdate, enddate }) => enddate > startdate && enddate - startdate <= daySeconds && enddate >= oldest)
    .filter(({ enddate }) => days.includesInstant(enddate * 1000))
    .toSorted((a, b) => a.startdate - b.startdate);
  const spans: SecondsSpan[] = [];
  for (const sleep of sleeps) {
    const last = spans.at(-1);
    if (last && sleep.enddate <= last.startdate + daySeconds) last.enddate = Math.max(last.enddate, sleep.enddate);
    else spans.push({ startdate: sleep.startdate, enddate: sleep.enddate });
  }
  return spans
    .slice(-maxRequests)
    .map(({ startdate, enddate }) => ({ startdate: String(startdate), enddate: String(enddate) }));
}

/** A sleep that was entered by hand, or is not specified, is asleep in no particular stage. */
const stageByState: ReadonlyMap<number, SleepStage> = new Map([
  [0, 'awake'],
  [1, 'light'],
  [2, 'deep'],
  [3, 'rem'],
  [4, 'asleep'],
  [5, 'asleep'],
  [15, 'out_of_bed'],
]);

const Segment = z.looseObject({
  startdate: WithingsSeconds,
  enddate: WithingsSeconds,
  state: z.number(),
  model_id: withingsNumber,
  hash_deviceid: withingsText,
});
type Segment = z.infer<typeof Segment>;
type Device = Pick<Segment, 'model_id' | 'hash_deviceid'>;
type ListedSleep = SecondsSpan & Device;

type SleepStages = { stages: NightStage[] } | { keepsStages: true };

/** Returns a function that selects the stages of a sleep. */
export function readWithingsStages(
  builder: RecordBuilder,
  pages: readonly ProviderPage[],
  sleeps: readonly ListedSleep[],
): (sleep: ListedSleep) => SleepStages {
  const requested = readWithingsBodies(pages, 'stages').flatMap(({ parameter }) => parseSpan(parameter) ?? []);
  const items = readWithingsItems(builder, pages, { resource: 'stages', list: 'series', schema: Segment });
  const segments = keepOnePerStart(items);
  return (sleep) => {
    const isRequested = requested.some((span) => span.startdate <= sleep.startdate && span.enddate >= sleep.enddate);
    if (!isRequested) return { keepsStages: true };
    const others = sleeps.filter((other) => other !== sleep && overlaps(other, sleep));
    const own = segments.filter(({ item }) => overlaps(item, sleep) && belongsTo(item, sleep, others));
    return own.length === 0 ? { keepsStages: true } : { stages: own.map(toStage) };
  };
}

function parseSpan(parameter: string | undefined): SecondsSpan | undefined {
  const [, start, end] = /^(\d+)-(\d+)$/.exec(parameter ?? '') ?? [];
  return start === undefined ? undefined : { startdate: Number(start), enddate: Number(end) };
}

/** Spans that overlap contain the same segments. */
const keepOnePerStart = (items: readonly ReadItem<Segment>[]): ReadItem<Segment>[] => [
  ...new Map(
    items.map((each) => {
      const { startdate, hash_deviceid, model_id } = each.item;
      return [[startdate, hash_deviceid, model_id].join(' '), each];
    }),
  ).values(),
];

const overlaps = (a: SecondsSpan, b: SecondsSpan): boolean => a.startdate < b.enddate && b.startdate < a.enddate;

/**
 * Two devices may report sleeps at the same time. A segment that could be of either is left out of
 * both.
 */
function belongsTo(segment: Device, sleep: Device, others: readonly Device[]): boolean {
  const isOwn = isSameDevice(segment, sleep);
  if (isOwn === false) return false;
  return others.every((other) => {
    const isOther = isSameDevice(segment, other);
    return isOther === false || (isOwn === true && isOther === undefined);
  });
}

/** Undefined if the two do not name their devices in the same way. */
function isSameDevice(a: Device, b: Device): boolean | undefined {
  if (a.hash_deviceid && b.hash_deviceid) return a.hash_deviceid === b.hash_deviceid;
  return a.model_id && b.model_id ? a.model_id === b.model_id : undefined;
}

const toStage = ({ path, item }: ReadItem<Segment>): NightStage => ({
  path,
  stage: stageByState.get(item.state) ?? 'unknown',
  startMs: item.startdate * 1000,
  endMs: item.enddate * 1000,
});
