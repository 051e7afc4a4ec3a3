// No field of the upload schema is silently dropped: each is sent and read back where it applies.
// `utc_offset` is tested together with the rules for days.
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { Upload } from '../../shared/providers/phone/upload-records.ts';
import { createCredentials, upload } from '../harness/sdk.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

const body = {
  time_zone: 'Europe/Berlin',
  device: { name: 'Ada’s Watch', model: 'Watch7,5', type: 'wrist' },
  samples: [
    {
      metric: 'active_calories',
      start: '2026-03-12T10:00:00Z',
      end: '2026-03-12T10:30:00Z',
      value: 836.8,
      unit: 'kJ',
      utc_offset: '+01:00',
    },
  ],
  daily: [{ date: '2026-03-10', metric: 'water', value: 1.5, unit: 'L' }],
  sleep: [
    {
      start: '2026-03-12T22:00:00Z',
      end: '2026-03-13T06:00:00Z',
      utc_offset: '+01:00',
      asleep_minutes: 431,
      deep_minutes: 74,
      light_minutes: 250,
      rem_minutes: 107,
      awake_minutes: 39,
      in_bed_minutes: 470,
      stages: [
        { stage: 'light', start: '2026-03-12T22:10:00Z', end: '2026-03-12T23:00:00Z' },
        { stage: 'deep', start: '2026-03-12T23:00:00Z', end: '2026-03-13T00:14:00Z' },
      ],
    },
  ],
  workouts: [
    {
      type: 'HKWorkoutActivityTypeSwimming',
      name: 'Morning swim',
      start: '2026-03-14T05:30:00Z',
      end: '2026-03-14T06:00:00Z',
      utc_offset: '+01:00',
      calories: 412,
      distance_km: 1.5,
      avg_heart_rate: 148,
      max_heart_rate: 171,
      elevation_meters: 1.5,
      steps: 12,
      strain: 12.4,
      avg_mets: 9.6,
      weather_temperature_c: -3.5,
      weather_humidity_pct: 61,
      swimming_stroke_count: 1180,
      swimming_lap_length_m: 22.86,
      heart_rate: [{ timestamp: '2026-03-14T05:30:00Z', bpm: 118 }],
    },
  ],
};

let system: System;
let key: string;
let user: string;

beforeAll(async () => {
  system = await sharedSystem();
  key = (await system.account()).live_key;
  user = await system.user(key, { timezone: 'Europe/Berlin' });
  const { access_token } = await createCredentials(system, key, user);
  const response = await upload(system, access_token, body);
  expect([response.status, response.body.rejected]).toEqual([202, []]);
  await system.host.drain();
});

const get = async (path: string) => (await system.call('GET', `/v1/users/${user}/${path}`, { token: key })).body;

/**
 * Returns the paths of every field that an upload can have; list fields are named after their list.
 */
function schemaPaths(schema: unknown, path: string): string[] {
  if (schema instanceof z.ZodOptional) return schemaPaths(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return schemaPaths(schema.element, path);
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape).flatMap(([name, each]) => schemaPaths(each, path ? `${path}.${name}` : name));
}
const valuePaths = (value: unknown, path: string): string[] =>
  Array.isArray(value)
    ? value.flatMap((each) => valuePaths(each, path))
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, each]) => valuePaths(each, path ? `${path}.${name}` : name))
      : [path];

test('the test upload has every field of the schema', () => {
  expect([...new Set(valuePaths(body, ''))].sort()).toEqual(schemaPaths(Upload, '').sort());
});

test('the device fields appear in the device list', async () => {
  expect((await get('devices')).data).toMatchObject([body.device]);
});

test('a sample is returned with its unit and times', async () => {
  const range = 'start_date=2026-03-12&end_date=2026-03-12&include_sources=true';
  expect((await get(`timeseries?metrics=active_calories&${range}`)).data).toMatchObject([
    {
      timestamp: '2026-03-12T10:00:00.000Z',
      value: 200,
      unit: 'kcal',
      source: { original_value: 836.8, original_unit: 'kJ' },
    },
  ]);
  // The end of the sample: half of it lies in each quarter of an hour.
  const { values } = await get('timeseries?metric=active_calories&date=2026-03-12&resolution=15m');
  expect(values.filter((value: number | null) => value !== null)).toEqual([100, 100]);
});

test("the phone's time zone dates its measurements if the profile has none", async () => {
  const traveller = await system.user(key);
  const { access_token } = await createCredentials(system, key, traveller);
  const late = { metric: 'weight', start: '2026-03-12T23:30:00Z', value: 70, unit: 'kg' };
  await upload(system, access_token, { ...body, samples: [late], daily: [], sleep: [], workouts: [] });
  await system.host.drain();
  const days = `/v1/users/${traveller}/daily?types=weight&from_date=2026-03-12&to_date=2026-03-13`;
  expect((await system.call('GET', days, { token: key })).body.series).toEqual({ weight: [null, 70] });
});

test('a daily total is returned on its date, in its unit', async () => {
  const response = await get('daily?types=water&from_date=2026-03-10&to_date=2026-03-10&include_sources=true');
  expect(response.series).toEqual({ water: [1500] });
  expect(response.sources.water).toMatchObject([{ original_value: 1.5, original_unit: 'L' }]);
});

test('a night has all its minutes', async () => {
  const { start, end, utc_offset, stages, ...minutes } = body.sleep[0] ?? {};
  expect((await get('sleep?from_date=2026-03-01&to_date=2026-03-31')).data).toMatchObject([
    { date: '2026-03-13', start_time: '2026-03-12T23:00:00', end_time: '2026-03-13T07:00:00', ...minutes },
  ]);
});

test('a night has its stages', async () => {
  expect((await get('sleep?from_date=2026-03-01&to_date=2026-03-31&include_stages=true')).data).toMatchObject([
    {
      stages: [
        { stage: 'light', start: '2026-03-12T23:10:00', end: '2026-03-13T00:00:00' },
        { stage: 'deep', start: '2026-03-13T00:00:00', end: '2026-03-13T01:14:00' },
      ],
    },
  ]);
});

test('a workout has every field that its source supplied', async () => {
  const [listed] = (await get('workouts?from_date=2026-03-01&to_date=2026-03-31')).data;
  expect(listed).toMatchObject({
    type: 'swimming',
    source_type: 'HKWorkoutActivityTypeSwimming',
    start_time: '2026-03-14T06:30:00',
    duration_minutes: 30,
    calories: 412,
    distance_km: 1.5,
    avg_heart_rate: 148,
    max_heart_rate: 171,
    strain: 12.4,
  });
  expect(await get(`workouts/${listed.id}`)).toMatchObject({
    name: 'Morning swim',
    strain: 12.4,
    metrics: {
      elevation_meters: 1.5,
      steps: 12,
      avg_mets: 9.6,
      weather_temperature_c: -3.5,
      weather_humidity_pct: 61,
      swimming_stroke_count: 1180,
      swimming_lap_length_m: 22.86,
    },
    heart_rate: { samples: [{ timestamp: '2026-03-14T06:30:00', bpm: 118 }] },
  });
});

test('a renamed device has its new name', async () => {
  const { access_token } = await createCredentials(system, key, user);
  await upload(system, access_token, { ...body, device: { ...body.device, name: 'Bert’s Watch' } });
  expect((await get('devices')).data).toMatchObject([{ ...body.device, name: 'Bert’s Watch' }]);
});
