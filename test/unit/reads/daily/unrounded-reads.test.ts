// Reads return values as they were measured: not rounded, in the metric's own unit, by instants,
// and NaN where there is none.
import { beforeEach, expect, test } from 'vitest';
import { readDaily } from '../../../../shared/reads/daily/read-daily.ts';
import type { RequestedRange } from '../../../../shared/reads/kit/range.ts';
import { readSleep } from '../../../../shared/reads/sleep/read-sleep.ts';
import { readTimeseries } from '../../../../shared/reads/timeseries/read-timeseries.ts';
import { readWorkout, readWorkouts } from '../../../../shared/reads/workouts/read-workouts.ts';
import type { Caller } from '../../../../shared/system/caller.ts';
import type { DeviceRow } from '../../../../shared/users/device-rows.ts';
import { createUser } from '../../../../shared/users/users.ts';
import { type MemoryDeps, memoryDeps } from '../../../harness/memory-deps.ts';
import {
  addCanonical,
  addDevice,
  addNormalized,
  addSamples,
  addSleep,
  addTrace,
  addWorkouts,
  sleepRow,
  watch,
  workoutRow,
} from '../../../harness/stored-data.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t7', env: 'live', form: 2 };
const names = { from: 'first', to: 'last' };
const range: RequestedRange & { from: string; to: string } = {
  from: '2026-03-08',
  to: '2026-03-09',
  names,
  maxDays: 366,
};

let memory: MemoryDeps;
let user: string;
let device: DeviceRow;
beforeEach(async () => {
  memory = memoryDeps();
  user = (await createUser(memory.deps, caller, { timezone: 'Europe/Berlin' })).id;
  device = await addDevice(memory.deps, user, watch);
});

test('daily values come in columns, with the original values', async () => {
  const original = { value: 154.6, unit: 'lb' };
  await addCanonical(memory.deps, user, '2026-03-09', { weight: 70.125381 });
  await addNormalized(memory.deps, user, '2026-03-09', { 0: { weight: { value: 70.125381, original } } });
  const request = { range, metrics: ['weight', 'steps'] as const, withSources: true };
  expect(await readDaily(memory.deps, caller, user, request)).toEqual({
    range: { from: '2026-03-08', to: '2026-03-09' },
    dates: ['2026-03-08', '2026-03-09'],
    metrics: ['weight', 'steps'],
    columns: [Float64Array.of(Number.NaN, 70.125381), Float64Array.of(Number.NaN, Number.NaN)],
    sources: [
      [undefined, { device, original, contributors: [] }],
      [undefined, undefined],
    ],
  });
});

test('samples come by instants, and the steps of a day are NaN without a measurement', async () => {
  await addSamples(memory.deps, user, 0, 'heart_rate', { '2026-03-08T23:30:00Z': 61.04, '2026-03-09T01:00:00Z': 62.3 });
  const request = { shape: 'samples', metrics: ['heart_rate'], range } as const;
  expect(await readTimeseries(memory.deps, caller, user, request)).toEqual({
    ...{ shape: 'samples', range: { from: range.from, to: range.to }, zone: 'Europe/Berlin', isComplete: true },
    byMetric: [
      {
        metric: 'heart_rate',
        samples: [
          {
            device,
            startMs: Date.parse('2026-03-08T23:30:00Z'),
            value: 61.04,
            original: undefined,
            offsetMinutes: null,
          },
          {
            device,
            startMs: Date.parse('2026-03-09T01:00:00Z'),
            value: 62.3,
            original: undefined,
            offsetMinutes: null,
          },
        ],
      },
    ],
  });
  const steps = { shape: 'steps', metric: 'heart_rate', date: '2026-03-09', resolution: '1h' } as const;
  expect(await readTimeseries(memory.deps, caller, user, steps)).toEqual({
    shape: 'steps',
    metric: 'heart_rate',
    zone: 'Europe/Berlin',
    startMs: Date.parse('2026-03-08T23:00:00Z'),
    stepMs: 3_600_000,
    values: Float64Array.from({ length: 24 }, (_none, hour) => ({ 0: 61.04, 2: 62.3 })[hour] ?? Number.NaN),
    device,
  });
});

test('a night comes as it was reported, with its efficiency', async () => {
  const row = sleepRow(0, '2026-03-08T22:00:00Z', 480, { asleepMinutes: 430.5, inBedMinutes: 474.2 });
  await addSleep(memory.deps, user, '2026-03-09', row);
  expect(await readSleep(memory.deps, caller, user, { range, limit: 10 })).toEqual({
    range: { from: '2026-03-08', to: '2026-03-09' },
    zone: 'Europe/Berlin',
    sessions: [{ row, date: '2026-03-09', device, isMainSleep: true, efficiencyPct: 90.784479122733 }],
    next: undefined,
  });
});

test('a workout comes as it was reported, with values derived from its distance and trace', async () => {
  const row = workoutRow(0, '2026-03-09T10:00:00Z', 3, { distanceKm: 0.7, trace: 'trace' });
  const points = [0, 5, 20].map((second, at) => ({
    atMs: row.startMs + second * 1000,
    bpm: [100, 121.5, 140][at] ?? 0,
  }));
  await addWorkouts(memory.deps, user, '2026-03-09', row);
  await addTrace(memory.deps, user, row.id, points);
  const { sessions } = await readWorkouts(memory.deps, caller, user, { range, limit: 10 });
  const complete = { ...row, avgHeartRate: expect.closeTo(120.5, 10), maxHeartRate: 140 };
  expect(sessions).toEqual([{ row: complete, device }]);
  const found = await readWorkout(memory.deps, caller, user, row.id);
  expect(found).toMatchObject({ row: complete, device, zone: 'Europe/Berlin' });
  expect(found.averageSpeedKmh).toBeCloseTo(14, 10);
  expect(found.averagePaceSecondsPerKm).toBeCloseTo(257.142857142857, 10);
  expect(found.heartRate).toMatchObject({ maxBpm: 140, steps: [{ bpm: 110.75 }, { bpm: 140 }] });
  expect(found.heartRate?.avgBpm).toBeCloseTo(120.5, 10);
  expect(found.heartRate?.zones.map(({ minutes }) => minutes)).toEqual([5 / 60, 15 / 60, 1, 0, 0]);
});

test("a range that cannot be read is rejected with the caller's own parameter names", async () => {
  const read = (from: string, to: string) =>
    readDaily(memory.deps, caller, user, {
      range: { from, to, names, maxDays: 366 },
      metrics: ['steps'],
      withSources: false,
    });
  await expect(read('2026-03-09', '2026-03-08')).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'The range is invalid: first 2026-03-09 is later than last 2026-03-08.',
    details: { issues: [{ path: 'first' }] },
  });
  await expect(read('2025-03-08', '2026-03-09')).rejects.toMatchObject({ details: { issues: [{ path: 'first' }] } });
});
