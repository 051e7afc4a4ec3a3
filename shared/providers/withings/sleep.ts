// Withings' nights and naps. Naps are not marked as such: each tells what was measured in it.
import * as z from 'zod';
import { sumOf } from '../../platform/arithmetic.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import { type Gathering, minutesOf, type NightValue, zeroIsNone } from '../kit/gathering.ts';
import type { VendorPage } from '../kit/pages.ts';
import { statedOffsetMinutes } from '../kit/stated-offset.ts';
import { latestVersions, WithingsId, WithingsSeconds, withingsItems, withingsNumber, withingsText } from './items.ts';

const Series = z.looseObject({
  id: WithingsId.nullish(),
  startdate: WithingsSeconds,
  enddate: WithingsSeconds,
  timezone: withingsText,
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
type Series = z.infer<typeof Series>;

/**
 * Withings documents `total_sleep_time` as the sum of the light, deep and REM durations, and
 * `asleepduration` for nights of other sources, which have no stages. Older accounts have neither
 * total: their stages are added up. A night without stages was slept but for the time awake in it,
 * where that is stated; without it the night says only how long somebody was in bed.
 */
function asleepSeconds({ startdate, enddate, data }: Series): number | null {
  const total = zeroIsNone(data?.total_sleep_time) ?? zeroIsNone(data?.asleepduration);
  if (total !== null || !data) return total;
  const stages = [data.lightsleepduration, data.deepsleepduration, data.remsleepduration].filter(
    (each) => typeof each === 'number',
  );
  if (stages.length > 0) return zeroIsNone(sumOf(stages));
  const { wakeupduration: awake } = data;
  return typeof awake === 'number' ? zeroIsNone(Math.max(0, enddate - startdate - awake)) : null;
}

export function gatherWithingsSleep(gathering: Gathering, pages: readonly VendorPage[], days: DaysAsked): void {
  const told = latestVersions(
    withingsItems(gathering, pages, { resource: 'sleep', list: 'series', schema: Series }),
    ({ id, startdate }) => id ?? `from ${startdate}`,
  );
  for (const { path, item } of told) {
    const { data } = item;
    const [startMs, endMs] = [item.startdate * 1000, item.enddate * 1000];
    gathering.zone(item.timezone, endMs);
    if (!days.holdsInstant(endMs)) continue;
    gathering.sleep(path, {
      startMs,
      endMs,
      offsetMinutes: statedOffsetMinutes(item.timezone, endMs),
      asleepMinutes: minutesOf(asleepSeconds(item)),
      deepMinutes: minutesOf(data?.deepsleepduration),
      lightMinutes: minutesOf(data?.lightsleepduration),
      remMinutes: minutesOf(data?.remsleepduration),
      awakeMinutes: minutesOf(data?.wakeupduration),
      inBedMinutes: minutesOf(data?.total_timeinbed),
      summary: summaryOf(`${path}.data`, data),
      ...(item.id ? { sourceId: item.id } : {}),
    });
  }
}

function summaryOf(path: string, data: Series['data']): NightValue[] {
  const breaths = zeroIsNone(data?.rr_average) ?? zeroIsNone(data?.chest_movement_rate_wellness_average);
  const warm = zeroIsNone(data?.core_body_temperature_avg);
  return [
    { path: `${path}.sleep_latency`, metric: 'sleep_latency', value: data?.sleep_latency, unit: 's' },
    { path: `${path}.hr_average`, metric: 'sleep_heart_rate', value: zeroIsNone(data?.hr_average) },
    { path: `${path}.rr_average`, metric: 'sleep_respiratory_rate', value: breaths },
    { path: `${path}.core_body_temperature_avg`, metric: 'sleep_body_temperature', value: warm },
  ];
}
