// Withings' nights and naps. Naps are not marked as such; several series may be of one day.
import * as z from 'zod';
import { sumOf } from '../../model/arithmetic.ts';
import type { MetricId } from '../../model/metrics.ts';
import type { DaysAsked } from '../days-asked.ts';
import { type Gathering, type Maybe, minutesOf, zeroIsNone } from '../gathering.ts';
import type { VendorPage } from '../pages.ts';
import { statedOffsetMinutes } from '../stated-offset.ts';
import {
  latestVersions,
  WithingsId,
  WithingsSeconds,
  type WithingsTold,
  withingsItems,
  withingsNumber,
  withingsText,
} from './items.ts';

const Series = z.looseObject({
  id: WithingsId.nullish(),
  startdate: WithingsSeconds,
  enddate: WithingsSeconds,
  date: withingsText,
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

export const withingsNightMetrics = [
  'sleep_latency',
  'sleep_heart_rate',
  'sleep_respiratory_rate',
  'sleep_body_temperature',
] as const satisfies MetricId[];

const length = ({ startdate, enddate }: Series): number => enddate - startdate;

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
  const longest = new Map<string, WithingsTold<Series>>();
  for (const each of told) {
    const { path, item } = each;
    const { data, date } = item;
    gathering.zone(item.timezone, item.enddate * 1000);
    gathering.sleep(path, {
      startMs: item.startdate * 1000,
      endMs: item.enddate * 1000,
      offsetMinutes: statedOffsetMinutes(item.timezone, item.enddate * 1000),
      asleepMinutes: minutesOf(asleepSeconds(item)),
      deepMinutes: minutesOf(data?.deepsleepduration),
      lightMinutes: minutesOf(data?.lightsleepduration),
      remMinutes: minutesOf(data?.remsleepduration),
      awakeMinutes: minutesOf(data?.wakeupduration),
      inBedMinutes: minutesOf(data?.total_timeinbed),
      ...(date ? { date } : {}),
      ...(item.id ? { sourceId: item.id } : {}),
    });
    if (!date || !days.holds(date)) continue;
    const before = longest.get(date);
    if (!before || isLonger(item, before.item)) longest.set(date, each);
  }
  for (const [date, night] of longest) gatherNight(gathering, date, night);
}

/** Of equally long ones the earlier. */
const isLonger = (a: Series, b: Series): boolean =>
  length(a) > length(b) || (length(a) === length(b) && a.startdate < b.startdate);

function gatherNight(gathering: Gathering, date: string, { path, item: { data } }: WithingsTold<Series>): void {
  const say = (field: string, metric: MetricId, value: Maybe, unit?: string): void =>
    gathering.daily(`${path}.data.${field}`, metric, date, value, unit);
  say('sleep_latency', 'sleep_latency', data?.sleep_latency, 's');
  say('hr_average', 'sleep_heart_rate', zeroIsNone(data?.hr_average));
  say(
    'rr_average',
    'sleep_respiratory_rate',
    zeroIsNone(data?.rr_average) ?? zeroIsNone(data?.chest_movement_rate_wellness_average),
  );
  say('core_body_temperature_avg', 'sleep_body_temperature', zeroIsNone(data?.core_body_temperature_avg));
}
