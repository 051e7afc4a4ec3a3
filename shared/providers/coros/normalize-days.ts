// COROS' days: totals by the watch's calendar, and a night that has bounds but no stages, with the
// values measured during it.
import type { MetricId } from '../../catalog/metrics.ts';
import { findFirstInstant } from '../../platform/time/zone-offsets.ts';
import { keepLastPerKey, type ReadItem, readItems } from '../kit/read-items.ts';
import type { NightValue, RecordBuilder } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { readInstant } from '../phone/read-time.ts';
import { type CorosDay, CorosHeartSample, corosOffsetMinutes } from './items.ts';

export const corosDayMetrics = [
  'steps',
  'resting_heart_rate',
  'sleep_heart_rate',
  'sleep_heart_rate_variability',
] as const satisfies MetricId[];
export const corosHeartMetrics = ['heart_rate', 'heart_rate_variability_rmssd'] as const satisfies MetricId[];

const maxNightMs = 24 * 3_600_000;

export function addCorosDays(
  builder: RecordBuilder,
  items: readonly ReadItem<CorosDay>[],
  days: RequestedDays,
  zone: string | null,
): void {
  for (const { path, item } of keepLastPerKey(items, ({ happenDay }) => String(happenDay))) {
    const date = String(item.happenDay).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
    addHeartSamples(builder, path, item, days);
    const night = readNight(builder, { path, item }, zone);
    // There is one night a day, so the date serves as its id.
    if (night && days.includesInstant(night.endMs))
      builder.addSleep(`${path}.sleepStartTime`, {
        ...night,
        sourceId: `night ${date}`,
        summary: buildSummary(path, item),
      });
    if (!days.includes(date)) continue;
    builder.addDaily(`${path}.step`, 'steps', date, item.step);
    builder.addDaily(`${path}.rhr`, 'resting_heart_rate', date, item.rhr || null);
    // These values belong to a night whose times are not reported.
    if (night === null)
      for (const each of buildSummary(path, item)) builder.addDaily(each.path, each.metric, date, each.value);
  }
}

const buildSummary = (path: string, { sleepAvgHr, ppgHrv }: CorosDay): NightValue[] => [
  { path: `${path}.sleepAvgHr`, metric: 'sleep_heart_rate', value: sleepAvgHr || null },
  { path: `${path}.ppgHrv`, metric: 'sleep_heart_rate_variability', value: ppgHrv || null },
];

function addHeartSamples(
  builder: RecordBuilder,
  path: string,
  { hrvList, startTimezone }: CorosDay,
  { includesInstant }: RequestedDays,
): void {
  const offsetMinutes = corosOffsetMinutes(startTimezone);
  for (const { path: at, item } of readItems(builder, `${path}.hrvList`, hrvList, CorosHeartSample)) {
    const moment = { startMs: item.timestamp * 1000, offsetMinutes };
    if (!includesInstant(moment.startMs)) continue;
    builder.addSample(`${at}.hrv`, 'heart_rate_variability_rmssd', moment, item.hrv || null);
    builder.addSample(`${at}.hr`, 'heart_rate', moment, item.hr || null);
  }
}

/**
 * Converts a local clock time by the watch's offset, or by the user's home zone if there is no
 * offset.
 */
function toInstant(text: string, offsetMinutes: number | null, zone: string | null): number | undefined {
  const local = readInstant(`${text.trim().replace(' ', 'T')}Z`)?.ms;
  if (local === undefined) return undefined;
  if (offsetMinutes !== null) return local - offsetMinutes * 60_000;
  return zone === null ? local : findFirstInstant(zone, local);
}

/** A day without sleep may carry the Unix epoch as its sleep time. */
const isUnixEpoch = (ms: number): boolean => Math.abs(ms) <= maxNightMs;

/** Null if there is no night, undefined if it cannot be read. */
function readNight(builder: RecordBuilder, { path, item }: ReadItem<CorosDay>, zone: string | null) {
  if (!item.sleepStartTime || !item.sleepEndTime) return null;
  const startOffset = corosOffsetMinutes(item.startTimezone ?? item.endTimezone);
  const offsetMinutes = corosOffsetMinutes(item.endTimezone ?? item.startTimezone);
  const startMs = toInstant(item.sleepStartTime, startOffset, zone);
  const endMs = toInstant(item.sleepEndTime, offsetMinutes, zone);
  if (startMs !== undefined && isUnixEpoch(startMs)) return null;
  if (startMs === undefined || endMs === undefined || endMs - startMs > maxNightMs) {
    builder.reject(`${path}.sleepStartTime`, 'invalid_time', 'A night must start and end within a day.');
    return undefined;
  }
  return { startMs, endMs, offsetMinutes, inBedMinutes: (endMs - startMs) / 60_000 };
}
