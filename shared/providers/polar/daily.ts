// Polar's days, tests and body values: everything except nights and workouts.
import type * as z from 'zod';
import { utcDay } from '../../platform/time/local-day.ts';
import { keepLastPerKey, type ReadItem } from '../kit/read-items.ts';
import { type RecordBuilder, zeroToNull } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import type { PolarActivity, PolarOxygenTest, PolarPhysical, PolarTemperatures } from './items.ts';

type Items<Schema extends z.ZodType> = readonly ReadItem<z.infer<Schema>>[];

/** Times are local, so the date of the start is the day. */
export function addPolarActivities(
  builder: RecordBuilder,
  activities: Items<typeof PolarActivity>,
  days: RequestedDays,
): void {
  for (const { path, item } of keepLastPerKey(activities, ({ start_time }) => utcDay(start_time))) {
    const date = utcDay(item.start_time);
    if (!days.includes(date)) continue;
    builder.addDaily(`${path}.steps`, 'steps', date, item.steps);
    builder.addDaily(`${path}.distance_from_steps`, 'distance', date, item.distance_from_steps, 'm');
    builder.addDaily(`${path}.active_calories`, 'active_calories', date, item.active_calories);
    builder.addDaily(`${path}.calories`, 'total_calories', date, zeroToNull(item.calories));
  }
}

export function addPolarOxygen(
  builder: RecordBuilder,
  tests: Items<typeof PolarOxygenTest>,
  days: RequestedDays,
): void {
  for (const { path, item } of tests) {
    const startMs = item.test_time * 1000;
    const offsetMinutes = item.time_zone_offset ?? null;
    if (!item.test_status?.endsWith('PASSED') || !days.includesInstant(startMs)) continue;
    const at = { startMs, offsetMinutes };
    builder.addSample(`${path}.blood_oxygen_percent`, 'blood_oxygen', at, item.blood_oxygen_percent);
  }
}

const temperatureMetrics = new Map([
  ['TM_CORE_TEMPERATURE', 'body_temperature'],
  ['TM_SKIN_TEMPERATURE', 'skin_temperature'],
] as const);

/** Start times are in UTC, although they do not say so. */
export function addPolarTemperatures(
  builder: RecordBuilder,
  series: Items<typeof PolarTemperatures>,
  days: RequestedDays,
): void {
  for (const { path, item } of series) {
    const metric = [...temperatureMetrics].find(([type]) => type === item.measurement_type)?.[1];
    if (!metric) continue;
    for (const [at, sample] of (item.samples ?? []).entries()) {
      const startMs = item.start_time + (sample.recording_time_delta_milliseconds ?? 0);
      if (days.includesInstant(startMs))
        builder.addSample(`${path}.samples.${at}`, metric, { startMs }, sample.temperature_celsius);
    }
  }
}

/** A weight that was entered by hand is a setting, not a measurement. */
export function addPolarPhysical(builder: RecordBuilder, entries: Items<typeof PolarPhysical>): void {
  for (const { path, item } of entries) {
    const at = { startMs: item.created };
    if (item['weight-source'] === 'SOURCE_MEASURED') builder.addSample(`${path}.weight`, 'weight', at, item.weight);
    builder.addSample(`${path}.vo2-max`, 'vo2_max', at, zeroToNull(item['vo2-max']));
  }
}
