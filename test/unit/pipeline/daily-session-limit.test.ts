import { expect, test } from 'vitest';
import { countPackedStages } from '../../../shared/measurements/codec/sleep-stages.ts';
import type { SleepRecord, WorkoutRecord } from '../../../shared/measurements/records.ts';
import { sessionRows } from '../../../shared/measurements/rows/session-rows.ts';
import { uploadLimits } from '../../../shared/providers/kit/upload-limits.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { createProviderDevice, type ProviderDevice } from '../../harness/provider-device.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { addDevice, watch } from '../../harness/stored-data.ts';

const maxPerDay = uploadLimits.sessionsPerDay;
const day = Date.parse('2026-03-10T00:00:00Z');
const workout = (name: string, startMs: number): WorkoutRecord => ({
  sourceId: name,
  type: 'running',
  name: null,
  startMs,
  endMs: startMs + 1000,
  offsetMinutes: 0,
  ...{ calories: null, distanceKm: null, avgHeartRate: null, maxHeartRate: null },
  ...{ elevationMeters: null, steps: null, heartRate: null },
});
const some = (from: number, to: number, onMs = day): WorkoutRecord[] =>
  Array.from({ length: to - from }, (_none, at) => workout(`w${from + at}`, onMs + (from + at) * 1000));

const namesOn = async (device: ProviderDevice, date: string): Promise<(string | undefined)[]> =>
  (await device.read()).workouts.filter((each) => each.date === date).map(({ sourceId }) => sourceId);

test('a day stores workouts of a device up to the daily limit, sent at once or one by one, and rejects the rest', async () => {
  const device = await createProviderDevice();
  await device.ingest({ workouts: some(0, 3 * maxPerDay) });
  expect(await namesOn(device, '2026-03-10')).toEqual(some(0, maxPerDay).map(({ sourceId }) => sourceId));
  await device.ingest({ workouts: some(3 * maxPerDay, 4 * maxPerDay) });
  expect(await namesOn(device, '2026-03-10')).toHaveLength(maxPerDay);
});

test('a day that one device has filled still has room for another device', async () => {
  const device = await createProviderDevice();
  const other = await addDevice(device.deps, device.userId, watch);
  await device.accept({ workouts: some(0, maxPerDay) }, other);
  await device.processPending();
  await device.ingest({ workouts: [workout('own', day + 50_000_000)] });
  expect(await namesOn(device, '2026-03-10')).toHaveLength(maxPerDay + 1);
});

test('workouts of a full day can still be changed, and other days still accept workouts', async () => {
  const device = await createProviderDevice();
  await device.ingest({ workouts: some(0, maxPerDay) });
  await device.ingest({
    workouts: [{ ...workout('w3', day + 3000), name: 'edited' }, workout('later', day + 86_400_000)],
  });
  const { workouts } = await device.read();
  expect(workouts.find(({ sourceId }) => sourceId === 'w3')?.name).toBe('edited');
  expect(await namesOn(device, '2026-03-11')).toEqual(['later']);
});

test('a workout stays on its day when the day it would move to is full', async () => {
  const device = await createProviderDevice();
  await device.ingest({ workouts: [workout('moved', day - 86_400_000), ...some(0, maxPerDay)] });
  await device.ingest({ workouts: [workout('moved', day + 40_000_000)] });
  expect(await namesOn(device, '2026-03-09')).toEqual(['moved']);
  expect(await namesOn(device, '2026-03-10')).toHaveLength(maxPerDay);
});

const hourMs = 3_600_000;
const night = (name: string, startMs: number, stageCount: number): SleepRecord => ({
  sourceId: name,
  startMs,
  endMs: startMs + hourMs,
  offsetMinutes: 0,
  ...{ asleepMinutes: 60, deepMinutes: null, lightMinutes: null, remMinutes: null },
  ...{ awakeMinutes: null, inBedMinutes: null },
  stages: Array.from({ length: stageCount }, (_none, at) => ({
    stage: 'light',
    startMs: startMs + at * 1000,
    endMs: startMs + (at + 1) * 1000,
  })),
});

test('a day stores nights of a device up to the daily limit of stages, and a night over it stays as it was', async () => {
  const device = await createProviderDevice();
  const half = uploadLimits.sleepStagesPerDay / 2;
  const stageCounts = async () => {
    const rows = [];
    for await (const { sessions } of sessionRows(device.deps.store).sleep.iterateAll(device.userId))
      rows.push(...sessions);
    return rows.map(({ sourceId, stages = '' }) => [sourceId, countPackedStages(stages)]);
  };
  await device.ingest({ sleep: [night('a', day, half), night('b', day + 2 * hourMs, half - 1)] });
  await device.ingest({ sleep: [night('c', day + 4 * hourMs, 1), night('d', day + 6 * hourMs, 1)] });
  const before = [
    ['a', half],
    ['b', half - 1],
    ['c', 1],
  ];
  expect(await stageCounts()).toEqual(before);
  await device.ingest({ sleep: [night('b', day + 2 * hourMs, half)] });
  expect(await stageCounts()).toEqual(before);
  await device.ingest({ sleep: [night('a', day, half - 1), night('b', day + 2 * hourMs, half)] });
  expect(await stageCounts()).toEqual([
    ['a', half - 1],
    ['b', half],
    ['c', 1],
  ]);
});

test('the stages of one device do not count against those of another', async () => {
  const device = await createProviderDevice();
  const other = await addDevice(device.deps, device.userId, watch);
  const limit = uploadLimits.sleepStagesPerDay;
  await device.accept({ sleep: [night('a', day, limit)] }, other);
  await device.processPending();
  await device.ingest({ sleep: [night('b', day + 2 * hourMs, 1)] });
  expect((await device.read()).sleep.map(({ sourceId }) => sourceId)).toEqual(['a', 'b']);
});

test('a warning states how many records were rejected, and for which user', async () => {
  const device = await createProviderDevice();
  const lines: [string, unknown][] = [];
  const warnings: Deps['log'] = (level, message, more) => {
    if (level === 'warn') lines.push([message, more]);
  };
  const deps = { ...device.deps, log: warnings };
  await device.accept({ workouts: some(0, maxPerDay + 7) });
  await runWriter(deps, device.userId);
  expect(lines).toEqual([
    ['records_rejected', expect.objectContaining({ user_id: device.userId, count: 7, codes: ['limit_exceeded'] })],
  ]);
});
