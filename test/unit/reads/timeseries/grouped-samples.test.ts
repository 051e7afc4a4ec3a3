// Which device's samples represent a day: metrics of a group prefer one device, as its daily values
// do, and metrics that do not accrue are never merged.
import { beforeEach, describe, expect, test } from 'vitest';
import type { SampleId } from '../../../../shared/catalog/metrics.ts';
import type { Caller } from '../../../../shared/system/caller.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import type { DeviceRow } from '../../../../shared/users/device-rows.ts';
import { createUser } from '../../../../shared/users/users.ts';
import { readForm2Timeseries } from '../../../harness/form-2-reads.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import { addDevice, addSamples, changeSettings, ring, watch } from '../../../harness/stored-data.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t7', env: 'live', form: 2 };
const date = '2026-03-14';

let deps: Deps;
let userId: string;
let wrist: DeviceRow;
let finger: DeviceRow;
beforeEach(async () => {
  ({ deps } = memoryDeps());
  userId = (await createUser(deps, caller, { timezone: null })).id;
  finger = await addDevice(deps, userId, ring);
  wrist = await addDevice(deps, userId, watch);
});

const add = (device: DeviceRow, metric: SampleId, values: Record<string, number>) =>
  addSamples(
    deps,
    userId,
    device.ordinal,
    metric,
    Object.fromEntries(Object.entries(values).map(([time, value]) => [`${date}T${time}:00Z`, value])),
  );

/** Returns the metric, value and provider of each sample. */
async function list(...metrics: SampleId[]): Promise<unknown[][]> {
  const body = await readForm2Timeseries(deps, caller, userId, {
    metrics: metrics.join(','),
    start_date: date,
    end_date: date,
    include_sources: true,
  });
  if (!('data' in body)) throw new Error('the response does not hold samples');
  return body.data.map(({ metric, value, source }) => [metric, value, source?.provider]);
}

/** Returns the hours with a value, and the provider. */
async function column(metric: SampleId): Promise<unknown[]> {
  const body = await readForm2Timeseries(deps, caller, userId, {
    metric,
    date,
    resolution: '1h',
    include_sources: true,
  });
  if (!('values' in body)) throw new Error('the response does not hold a column');
  return [body.values.filter((value) => value !== null), body.source?.provider ?? null];
}

const [systolic, diastolic] = ['blood_pressure_systolic', 'blood_pressure_diastolic'] as const;

describe('a blood-pressure reading', () => {
  test('comes from the highest-ranked device with systolic pressure, requested together or alone', async () => {
    await add(wrist, diastolic, { '08:00': 71 });
    await add(finger, systolic, { '09:00': 121 });
    await add(finger, diastolic, { '09:00': 82 });
    const both = [
      [systolic, 121, 'oura'],
      [diastolic, 82, 'oura'],
    ];
    expect(await list(systolic, diastolic)).toEqual(both);
    expect(await list(diastolic)).toEqual(both.slice(1));
    expect(await column(diastolic)).toEqual([[82], 'oura']);
  });

  test('is never completed from another device', async () => {
    await add(wrist, systolic, { '08:00': 118 });
    await add(finger, systolic, { '09:00': 121 });
    await add(finger, diastolic, { '09:00': 82 });
    expect(await list(diastolic, systolic)).toEqual([[systolic, 118, 'garmin']]);
    expect(await column(diastolic)).toEqual([[], null]);
  });

  test('without systolic pressure comes from the highest-ranked device', async () => {
    await add(wrist, diastolic, { '08:00': 71 });
    await add(finger, diastolic, { '09:00': 82 });
    expect(await list(diastolic)).toEqual([[diastolic, 71, 'garmin']]);
  });

  test('comes from the next device where the provider is disabled for the group', async () => {
    await add(wrist, systolic, { '08:00': 118 });
    await add(finger, diastolic, { '09:00': 82 });
    await changeSettings(deps, userId, { disabledFor: { blood_pressure: ['garmin'] } });
    expect(await list(systolic, diastolic)).toEqual([[diastolic, 82, 'oura']]);
  });
});

test('the stages of a night come first from the device that measured the time asleep, then from the next that has them', async () => {
  await add(finger, 'deep_sleep', { '01:00': 30 });
  await add(wrist, 'deep_sleep', { '02:00': 20 });
  await add(wrist, 'rem_sleep', { '03:00': 15 });
  expect(await list('deep_sleep', 'rem_sleep')).toEqual([
    ['deep_sleep', 30, 'oura'],
    ['rem_sleep', 15, 'garmin'],
  ]);
  await add(finger, 'light_sleep', { '01:30': 90 });
  await add(wrist, 'asleep', { '01:00': 400 });
  expect(await list('deep_sleep', 'rem_sleep')).toEqual([
    ['deep_sleep', 20, 'garmin'],
    ['rem_sleep', 15, 'garmin'],
  ]);
  expect(await column('rem_sleep')).toEqual([[15], 'garmin']);
  expect(await list('light_sleep')).toEqual([['light_sleep', 90, 'oura']]);
});

test('vitals of a night belong to no group: each comes from its own device', async () => {
  await add(wrist, 'asleep', { '01:00': 400 });
  await add(finger, 'sleep_heart_rate', { '02:00': 52 });
  expect(await list('asleep', 'sleep_heart_rate')).toEqual([
    ['asleep', 400, 'garmin'],
    ['sleep_heart_rate', 52, 'oura'],
  ]);
});

test.each(['water', 'protein', 'stand_hours'] as const)('%s of two devices is not merged', async (metric) => {
  await add(finger, metric, { '08:00': 1, '09:00': 2 });
  await add(wrist, metric, { '12:00': 3 });
  expect(await list(metric)).toEqual([[metric, 3, 'garmin']]);
});

test('steps of two devices are merged by period', async () => {
  await add(finger, 'steps', { '08:00': 1, '12:00': 2 });
  await add(wrist, 'steps', { '12:00': 3 });
  expect(await list('steps')).toEqual([
    ['steps', 1, 'oura'],
    ['steps', 3, 'garmin'],
  ]);
});
