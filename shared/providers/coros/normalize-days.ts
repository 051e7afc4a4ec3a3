// COROS' days: totals and overnight values by the watch's calendar, and a night that has bounds and no stages.
import type { MetricId } from '../../model/metrics.ts';
import { firstInstantAt } from '../../model/zone.ts';
import type { DaysAsked } from '../days-asked.ts';
import type { Gathering } from '../gathering.ts';
import { lastOfEach, type ReadItem, readItems } from '../read-items.ts';
import { readInstant } from '../sdk/read-time.ts';
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
    if (!days.holds(date)) continue;
    gathering.daily(`${path}.step`, 'steps', date, item.step);
    gathering.daily(`${path}.rhr`, 'resting_heart_rate', date, item.rhr || null);
    gathering.daily(`${path}.sleepAvgHr`, 'sleep_heart_rate', date, item.sleepAvgHr || null);
    gathering.daily(`${path}.ppgHrv`, 'sleep_heart_rate_variability', date, item.ppgHrv || null);
    gatherBeats(gathering, path, item);
    gatherNight(gathering, { path, item }, date, zone);
  }
}

function gatherBeats(gathering: Gathering, path: string, { hrvList, startTimezone }: CorosDay): void {
  const offsetMinutes = corosOffset(startTimezone);
  for (const { path: at, item } of readItems(gathering, `${path}.hrvList`, hrvList, CorosBeat)) {
    const moment = { startMs: item.timestamp * 1000, offsetMinutes };
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

/** One a day, so the day is its name. */
function gatherNight(
  gathering: Gathering,
  { path, item }: ReadItem<CorosDay>,
  date: string,
  zone: string | null,
): void {
  if (!item.sleepStartTime || !item.sleepEndTime) return;
  const startOffset = corosOffset(item.startTimezone ?? item.endTimezone);
  const endOffset = corosOffset(item.endTimezone ?? item.startTimezone);
  const startMs = instantOf(item.sleepStartTime, startOffset, zone);
  const endMs = instantOf(item.sleepEndTime, endOffset, zone);
  if (startMs !== undefined && isNever(startMs)) return;
  if (startMs === undefined || endMs === undefined || endMs - startMs > longestMs) {
    gathering.reject(`${path}.sleepStartTime`, 'invalid_time', 'A night must start and end within a day.');
    return;
  }
  gathering.sleep(`${path}.sleepStartTime`, {
    startMs,
    endMs,
    offsetMinutes: endOffset,
    date,
    sourceId: `night ${date}`,
    inBedMinutes: (endMs - startMs) / 60_000,
  });
}
