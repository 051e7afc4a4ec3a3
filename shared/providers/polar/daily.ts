// Polar's days, tests and body values: everything but nights and workouts.
import type * as z from 'zod';
import { utcDay } from '../../platform/time/local-day.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import { type Gathering, zeroIsNone } from '../kit/gathering.ts';
import { lastOfEach, type ReadItem } from '../kit/read-items.ts';
import type { PolarActivity, PolarOxygenTest, PolarPhysical, PolarTemperatures } from './items.ts';

type Items<Schema extends z.ZodType> = readonly ReadItem<z.infer<Schema>>[];

/** Times are local: the date of the start is the day. */
export function gatherPolarActivities(
  gathering: Gathering,
  activities: Items<typeof PolarActivity>,
  days: DaysAsked,
): void {
  for (const { path, item } of lastOfEach(activities, ({ start_time }) => utcDay(start_time))) {
    const date = utcDay(item.start_time);
    if (!days.holds(date)) continue;
    gathering.daily(`${path}.steps`, 'steps', date, item.steps);
    gathering.daily(`${path}.distance_from_steps`, 'distance', date, item.distance_from_steps, 'm');
    gathering.daily(`${path}.active_calories`, 'active_calories', date, item.active_calories);
    gathering.daily(`${path}.calories`, 'total_calories', date, zeroIsNone(item.calories));
  }
}

export function gatherPolarOxygen(gathering: Gathering, tests: Items<typeof PolarOxygenTest>, days: DaysAsked): void {
  for (const { path, item } of tests) {
    const startMs = item.test_time * 1000;
    const offsetMinutes = item.time_zone_offset ?? null;
    if (!item.test_status?.endsWith('PASSED') || !days.holdsInstant(startMs)) continue;
    const at = { startMs, offsetMinutes };
    gathering.sample(`${path}.blood_oxygen_percent`, 'blood_oxygen', at, item.blood_oxygen_percent);
  }
}

const temperatures = new Map([
  ['TM_CORE_TEMPERATURE', 'body_temperature'],
  ['TM_SKIN_TEMPERATURE', 'skin_temperature'],
] as const);

/** Starts are in UTC, without saying so. */
export function gatherPolarTemperatures(
  gathering: Gathering,
  series: Items<typeof PolarTemperatures>,
  days: DaysAsked,
): void {
  for (const { path, item } of series) {
    const metric = [...temperatures].find(([type]) => type === item.measurement_type)?.[1];
    if (!metric) continue;
    for (const [at, sample] of (item.samples ?? []).entries()) {
      const startMs = item.start_time + (sample.recording_time_delta_milliseconds ?? 0);
      if (days.holdsInstant(startMs))
        gathering.sample(`${path}.samples.${at}`, metric, { startMs }, sample.temperature_celsius);
    }
  }
}

/** A weight that somebody typed in is a setting. */
export function gatherPolarPhysical(gathering: Gathering, entries: Items<typeof PolarPhysical>): void {
  for (const { path, item } of entries) {
    const at = { startMs: item.created };
    if (item['weight-source'] === 'SOURCE_MEASURED') gathering.sample(`${path}.weight`, 'weight', at, item.weight);
    gathering.sample(`${path}.vo2-max`, 'vo2_max', at, zeroIsNone(item['vo2-max']));
  }
}
