// Compares Form 1 with Form 2 for the same days, cell by cell. Values that only Form 1 has come
// from the model.
import { differences, type Mismatch } from './compare.ts';
import type { DailyBody } from './compare-daily.ts';
import type { DetailBody, ListBody, Range } from './compare-sessions.ts';
import { expectedForm1Nights, expectedForm1Workouts } from './expected-form-1.ts';
import type { View } from './view.ts';

export interface ReadOptions {
  imperial: boolean;
  sources: boolean;
}
type Row = Record<string, unknown>;

/** Expects a row for each cell with a value, ordered by date, then by column. */
export function rowMismatches({ dates, series, units, sources }: DailyBody, { data }: ListBody): Mismatch[] {
  const expected = dates.flatMap((date, at) =>
    Object.entries(series).flatMap(([metric, column]): Row[] => {
      const value = column[at];
      if (typeof value !== 'number') return [];
      const row = { date, metric, value, unit: units?.[metric] };
      return [sources ? { ...row, source: sources[metric]?.[at] } : row];
    }),
  );
  return compareLists('rows', data, expected);
}

const vitals = [
  'sleep_heart_rate',
  'sleep_heart_rate_variability',
  'sleep_respiratory_rate',
  'sleep_blood_oxygen',
  'sleep_body_temperature',
  'sleep_skin_temperature',
  'sleep_wrist_temperature',
];

export function flatNightMismatches(
  view: View,
  range: Range,
  { sources }: ReadOptions,
  form2: { sleep: ListBody; daily: DailyBody },
  { data }: ListBody,
): Mismatch[] {
  const { dates, series, sources: named } = form2.daily;
  const only = expectedForm1Nights(view, range.from, range.to);
  const expected = form2.sleep.data.toReversed().map((night, at): Row => {
    const day = dates.indexOf(String(night['date']));
    const vitalValues = vitals.map((id) => [id, night['is_main_sleep'] ? (series[id]?.[day] ?? null) : null]);
    const devices = vitals.flatMap((id) => {
      const source = night['is_main_sleep'] ? named?.[id]?.[day] : null;
      return source ? [[id, { provider: source.provider, device_id: source.device_id }]] : [];
    });
    return {
      id: night['id'],
      date: night['date'],
      is_main_sleep: night['is_main_sleep'],
      asleep: night['asleep_minutes'],
      time_awake: night['awake_minutes'],
      light_sleep: night['light_minutes'],
      deep_sleep: night['deep_minutes'],
      REM: night['rem_minutes'],
      utc_offset: night['utc_offset'],
      time_in_bed: night['in_bed_minutes'],
      sleep_efficiency: night['efficiency_pct'],
      ...Object.fromEntries(vitalValues),
      ...only[at],
      ...(sources ? { source: night['source_detail'], vital_sources: Object.fromEntries(devices) } : {}),
    };
  });
  return compareLists('nights', data, expected);
}

export function flatWorkoutMismatches(
  view: View,
  range: Range,
  { imperial, sources }: ReadOptions,
  details: readonly DetailBody[],
  { data }: ListBody,
): Mismatch[] {
  const only = expectedForm1Workouts(view, range.from, range.to, imperial);
  const expected = details.toReversed().map(
    (workout, at): Row => ({
      id: workout['id'],
      sport_type: workout['type'],
      source_type: workout['source_type'],
      utc_offset: workout['utc_offset'],
      duration: workout['duration_minutes'],
      active_calories: workout['calories'],
      heart_rate_avg: workout['avg_heart_rate'],
      heart_rate_max: workout['max_heart_rate'],
      heart_rate_zones: workout.heart_rate && zonesIn(workout.heart_rate),
      // In metric units, Form 2 has these values too. Converted values come from the model.
      ...only[at],
      ...(imperial ? {} : { distance: workout['distance_km'], elevation_gain: workout.metrics['elevation_meters'] }),
      ...(sources ? { source: workout['source_detail'] } : {}),
    }),
  );
  return compareLists('workouts', data, expected);
}

const zonesIn = ({ zones }: NonNullable<DetailBody['heart_rate']>): Row =>
  Object.fromEntries(zones.map(({ zone, minutes }) => [`zone_${zone}`, minutes]));

/** The rows and their fields must be the same, no more and no fewer. */
function compareLists(where: string, data: readonly Row[], expected: readonly Row[]): Mismatch[] {
  if (data.length !== expected.length) return [{ where, got: data, expected }];
  return expected.flatMap((row, at) => [
    ...differences(`${where}[${at}]`, data[at] ?? {}, row),
    ...differences(
      `${where}[${at}]`,
      { fields: Object.keys(data[at] ?? {}).sort() },
      { fields: Object.keys(row).sort() },
    ),
  ]);
}
