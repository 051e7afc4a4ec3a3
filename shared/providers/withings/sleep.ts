// Withings' nights and naps. Naps are not marked as such; each has the values measured during it.
import * as z from 'zod';
import { sumOf } from '../../platform/arithmetic.ts';
import { namedZoneOffsetMinutes } from '../kit/local-day-of-instant.ts';
import type { ProviderPage } from '../kit/provider-pages.ts';
import { type NightValue, type RecordBuilder, secondsToMinutes, zeroToNull } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import {
  keepLatestVersions,
  readWithingsItems,
  WithingsId,
  WithingsSeconds,
  withingsNumber,
  withingsText,
} from './items.ts';
import { readWithingsStages } from './sleep-stages.ts';

const SleepItem = z.looseObject({
  id: WithingsId.nullish(),
  startdate: WithingsSeconds,
  enddate: WithingsSeconds,
  timezone: withingsText,
  model_id: withingsNumber,
  hash_deviceid: withingsText,
  modified: withingsNumber,
  data: z
    .looseObject({
      total_timeinbed: withingsNumber,
      total_sleep_time: withingsNumber,
      asleepduration: withingsNumber,
      lightsleepduration: withingsNumber,
      deepsleepduration: withingsNumber,
      remsleepduration: withingsNumber,
      wakeupduration: withingsNumber,
      sleep_latency: withingsNumber,
      hr_average: withingsNumber,
      rr_average: withingsNumber,
      chest_movement_rate_wellness_average: withingsNumber,
      core_body_temperature_avg: withingsNumber,
    })
    .nullish()
    .catch(null),
});
type SleepItem = z.infer<typeof SleepItem>;

/**
 * Withings documents `total_sleep_time` as the sum of the light, deep and REM durations, and
 * `asleepduration` for nights of other sources, which have no stages. Older accounts have neither
 * total, so their stages are added up. For a night without stages, the time awake is subtracted if
 * it is reported; without it, the night only has the time in bed.
 */
function asleepSeconds({ startdate, enddate, data }: SleepItem): number | null {
  const total = zeroToNull(data?.total_sleep_time) ?? zeroToNull(data?.asleepduration);
  if (total !== null || !data) return total;
  const stages = [data.lightsleepduration, data.deepsleepduration, data.remsleepduration].filter(
    (each) => typeof each === 'number',
  );
  if (stages.length > 0) return zeroToNull(sumOf(stages));
  const { wakeupduration: awake } = data;
  return typeof awake === 'number' ? zeroToNull(Math.max(0, enddate - startdate - awake)) : null;
}

export function addWithingsSleep(builder: RecordBuilder, pages: readonly ProviderPage[], days: RequestedDays): void {
  const sleeps = keepLatestVersions(
    readWithingsItems(builder, pages, { resource: 'sleep', list: 'series', schema: SleepItem }),
    ({ id, startdate }) => id ?? `from ${startdate}`,
  );
  const stagesOf = readWithingsStages(
    builder,
    pages,
    sleeps.map(({ item }) => item),
  );
  for (const { path, item } of sleeps) {
    const { data } = item;
    const [startMs, endMs] = [item.startdate * 1000, item.enddate * 1000];
    builder.setZone(item.timezone, endMs);
    if (!days.includesInstant(endMs)) continue;
    builder.addSleep(path, {
      startMs,
      endMs,
      offsetMinutes: namedZoneOffsetMinutes(item.timezone, endMs),
      asleepMinutes: secondsToMinutes(asleepSeconds(item)),
      deepMinutes: secondsToMinutes(data?.deepsleepduration),
      lightMinutes: secondsToMinutes(data?.lightsleepduration),
      remMinutes: secondsToMinutes(data?.remsleepduration),
      awakeMinutes: secondsToMinutes(data?.wakeupduration),
      inBedMinutes: secondsToMinutes(data?.total_timeinbed),
      summary: buildSummary(`${path}.data`, data),
      ...stagesOf(item),
      ...(item.id ? { sourceId: item.id } : {}),
    });
  }
}

function buildSummary(path: string, data: SleepItem['data']): NightValue[] {
  const breaths = zeroToNull(data?.rr_average) ?? zeroToNull(data?.chest_movement_rate_wellness_average);
  const temperature = zeroToNull(data?.core_body_temperature_avg);
  return [
    { path: `${path}.sleep_latency`, metric: 'sleep_latency', value: data?.sleep_latency, unit: 's' },
    { path: `${path}.hr_average`, metric: 'sleep_heart_rate', value: zeroToNull(data?.hr_average) },
    { path: `${path}.rr_average`, metric: 'sleep_respiratory_rate', value: breaths },
    { path: `${path}.core_body_temperature_avg`, metric: 'sleep_body_temperature', value: temperature },
  ];
}
