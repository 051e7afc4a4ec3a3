// COROS' days: totals by the watch's calendar, and a night that has bounds and no stages, with what was measured in it.
import type { MetricId } from '../../catalog/metrics.ts';
import { firstInstantAt } from '../../platform/time/zone.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import type { Gathering, NightValue } from '../kit/gathering.ts';
import { lastOfEach, type ReadItem, readItems } from '../kit/read-items.ts';
import { readInstant } from '../phone/read-time.ts';
import { CorosBeat, type CorosDay, corosOffset } from './items.ts';

export const corosDayMetrics = [
  'steps',
  'resting_heart_rate',
  'sleep_heart_rate',
  'sleep_heart_rate_variability',
] as const satisfies MetricId[];
export const corosBeatMetrics = ['heart_rate', 'heart_rate_variability_rmssd'] as const satisfies MetricId[];

const longestMs = 24 * 3_600_000;

export function gatherCorosDays(
  gathering: Gathering,
  items: readonly ReadItem<CorosDay>[],
  days: DaysAsked,
  zone: string | null,
): void {
  for (const { path, item } of lastOfEach(items, ({ happenDay }) => String(happenDay))) {
    const date = String(item.happenDay).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
    gatherBeats(gathering, path, item, days);
    const night = nightOf(gathering, { path, item }, zone);
    // One a day, so the day is its name.
    if (night && days.holdsInstant(night.endMs))
      gathering.sleep(`${path}.sleepStartTime`, {
        ...night,
        sourceId: `night ${date}`,
        summary: summaryOf(path, item),
      });
    if (!days.holds(date)) continue;
    gathering.daily(`${path}.step`, 'steps', date, item.step);
    gathering.daily(`${path}.rhr`, 'resting_heart_rate', date, item.rhr || null);
    // Of a night that it does not say the time of.
    if (night === null)
      for (const each of summaryOf(path, item)) gathering.daily(each.path, each.metric, date, each.value);
  }
}

const summaryOf = (path: string, { sleepAvgHr, ppgHrv }: CorosDay): NightValue[] => [
  { path: `${path}.sleepAvgHr`, metric: 'sleep_heart_rate', value: sleepAvgHr || null },
  { path: `${path}.ppgHrv`, metric: 'sleep_heart_rate_variability', value: ppgHrv || null },
];

function gatherBeats(
  gathering: Gathering,
  path: string,
  { hrvList, startTimezone }: CorosDay,
  { holdsInstant }: DaysAsked,
): void {
  const offsetMinutes = corosOffset(startTimezone);
  for (const { path: at, item } of readItems(gathering, `${path}.hrvList`, hrvList, CorosBeat)) {
    const moment = { startMs: item.timestamp * 1000, offsetMinutes };
    if (!holdsInstant(moment.startMs)) continue;
    gathering.sample(`${at}.hrv`, 'heart_rate_variability_rmssd', moment, item.hrv || null);
    gathering.sample(`${at}.hr`, 'heart_rate', moment, item.hr || null);
  }
}

/** What clocks showed, where the watch was then, else where the person is at home. */
function instantOf(text: string, offsetMinutes: number | null, zone: string | null): number | undefined {
  const local = readInstant(`${text.trim().replace(' ', 'T')}Z`)?.ms;
  if (local === undefined) return undefined;
  if (offsetMinutes !== null) return local - offsetMinutes * 60_000;
  return zone === null ? local : firstInstantAt(zone, local);
}

/** A day without sleep may have the beginning of time in its place. */
const isNever = (ms: number): boolean => Math.abs(ms) <= longestMs;

/** Null where there is none, undefined where it cannot be read. */
function nightOf(gathering: Gathering, { path, item }: ReadItem<CorosDay>, zone: string | null) {
  if (!item.sleepStartTime || !item.sleepEndTime) return null;
  const startOffset = corosOffset(item.startTimezone ?? item.endTimezone);
  const offsetMinutes = corosOffset(item.endTimezone ?? item.startTimezone);
  const startMs = instantOf(item.sleepStartTime, startOffset, zone);
  const endMs = instantOf(item.sleepEndTime, offsetMinutes, zone);
  if (startMs !== undefined && isNever(startMs)) return null;
  if (startMs === undefined || endMs === undefined || endMs - startMs > longestMs) {
    gathering.reject(`${path}.sleepStartTime`, 'invalid_time', 'A night must start and end within a day.');
    return undefined;
  }
  return { startMs, endMs, offsetMinutes, inBedMinutes: (endMs - startMs) / 60_000 };
}
