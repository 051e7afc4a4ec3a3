// Scores that a device reports through the day are samples like any others, and produce no daily
// value.
import { beforeEach, describe, expect, test } from 'vitest';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { eraseUser } from '../../../shared/erasure/erase-user.ts';
import type { CoveredRange, Sample } from '../../../shared/measurements/records.ts';
import { sampleRows } from '../../../shared/measurements/rows/sample-rows.ts';
import { replayDevice } from '../../../shared/pipeline/replay-device.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { readTimeseries } from '../../../shared/reads/timeseries/read-timeseries.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { createProviderDevice, type ProviderDevice, sleepUntil } from '../../harness/provider-device.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { addDevice, changeSettings, watch } from '../../harness/stored-data.ts';

let device: ProviderDevice;
beforeEach(async () => {
  device = await createProviderDevice();
});

const level = (start: string, value: number): Sample => ({
  metric: 'stress_score',
  startMs: Date.parse(start),
  endMs: Date.parse(start),
  value,
  offsetMinutes: null,
});
const [morning, noon] = [level('2026-03-10T08:00:00Z', 31), level('2026-03-10T12:00:00Z', 64)];
const fullDay: CoveredRange = { from: '2026-03-10', to: '2026-03-10', samples: ['stress_score'] };

const readValues = async (from = '2026-03-01', to = '2026-03-31') => {
  const range = { from, to, names: { from: 'start_date', to: 'end_date' }, maxDays: 31 } as const;
  const query = { shape: 'samples', metrics: ['stress_score'], range } as const;
  const read = await readTimeseries(device.deps, device.caller, device.userId, query);
  if (read.shape !== 'samples') throw new Error('the response does not hold samples');
  return read.byMetric.flatMap(({ samples }) => samples.map(({ value }) => value)).sort((a, b) => a - b);
};
const rowsOf = async (prefix: string) => (await device.sortKeys()).filter((sk) => sk.startsWith(prefix));

test('sampled scores produce no daily value and no score', async () => {
  await device.ingest({ samples: [morning, noon] });
  expect(await readValues()).toEqual([31, 64]);
  expect((await device.read()).days).toEqual({});
  expect([...(await rowsOf('N#')), ...(await rowsOf('D#')), ...(await rowsOf('S#'))]).toEqual([]);
  expect(await rowsOf('T#')).toEqual(['T#1000#2026-03-10#0']);
});

test('sampled scores are published with their days, once', async () => {
  await device.events();
  await device.ingest({ samples: [morning, level('2026-03-12T12:00:00Z', 50)] });
  expect(await device.events()).toEqual([
    {
      type: 'data.updated',
      metrics: ['stress_score'],
      from_date: '2026-03-10',
      to_date: '2026-03-12',
      sleep: false,
      workouts: false,
    },
  ]);
  await device.ingest({ samples: [morning] });
  expect(await device.events()).toEqual([]);
});

test('sampled scores do not affect a day of other data, which is scored', async () => {
  await device.ingest({
    samples: [morning, { ...noon, metric: 'heart_rate' }],
    sleep: [sleepUntil('2026-03-10T06:00:00Z')],
  });
  expect((await device.read()).days).toEqual({ '2026-03-10': { heart_rate: 64, asleep: 400, longest_sleep: 400 } });
  expect(await rowsOf('S#')).toEqual(['S#2026-03-10']);
});

test('sampled scores are replaced by start and end, and removed when a full response lacks them', async () => {
  await device.ingest({ samples: [morning, noon] });
  await device.ingest({ samples: [{ ...morning, value: 33 }] });
  expect(await readValues()).toEqual([33, 64]);
  await device.events();
  await device.ingest({ samples: [noon], covered: [fullDay] });
  expect(await readValues()).toEqual([64]);
  expect(await device.events()).toMatchObject([{ metrics: ['stress_score'], from_date: '2026-03-10' }]);
  await device.ingest({ samples: [noon], covered: [fullDay] });
  expect(await device.events()).toEqual([]);
});

test('sampled scores are the same after a replay', async () => {
  await device.ingest({ samples: [morning, noon] });
  await device.ingest({ samples: [noon], covered: [fullDay] });
  const before = device.allItems().filter(({ sk }) => String(sk).startsWith('T#'));
  expect(await replayDevice(device.deps, device.userId, device.device.id)).toBe(2);
  await device.processPending();
  expect(device.allItems().filter(({ sk }) => String(sk).startsWith('T#'))).toEqual(before);
  expect(await readValues()).toEqual([64]);
});

test('sampled scores are read by the days of the new zone after a time-zone change', async () => {
  await device.ingest({ samples: [level('2026-03-10T23:30:00Z', 40)] });
  expect([await readValues('2026-03-10', '2026-03-10'), await readValues('2026-03-11', '2026-03-11')]).toEqual([
    [40],
    [],
  ]);
  await updateUser(device.deps, device.caller, device.userId, { timezone: 'Europe/Berlin' });
  await device.processPending();
  expect([await readValues('2026-03-10', '2026-03-10'), await readValues('2026-03-11', '2026-03-11')]).toEqual([
    [],
    [40],
  ]);
});

describe('sampled scores of two devices:', () => {
  test('the wrist ranks before the ring, as for vitals, unless its provider is disabled', async () => {
    const wrist = await addDevice(device.deps, device.userId, watch);
    await device.accept({ samples: [morning] });
    await device.accept({ samples: [{ ...noon, value: 80 }] }, wrist);
    await device.processPending();
    expect(await readValues()).toEqual([80]);
    await changeSettings(device.deps, device.userId, { disabled: ['garmin'] });
    expect(await readValues()).toEqual([31]);
  });

  test('those of a disconnected device are removed', async () => {
    const wrist = await addDevice(device.deps, device.userId, watch);
    await device.accept({ samples: [morning] });
    await device.accept({ samples: [noon] }, wrist);
    await device.processPending();
    await disconnectDevice(device.deps, device.caller, device.userId, wrist.id);
    expect(await readValues()).toEqual([31]);
    await runWriter(device.deps, device.userId);
    expect(await rowsOf('T#')).toEqual(['T#1000#2026-03-10#0']);
  });
});

test('no sampled scores are left when the user is erased', async () => {
  await device.ingest({ samples: [morning, noon] });
  await deleteUser(device.deps, device.caller, device.userId);
  for (let rounds = 0; rounds < 5; rounds++) {
    device.clock.advance(2 * workerWriteDeadlineMs);
    await eraseUser(device.deps, device.userId);
  }
  expect(await rowsOf('T#')).toEqual([]);
});

test('a day of sampled scores is packed and read back unchanged', async () => {
  const levels = Array.from({ length: 480 }, (_none, at) =>
    level(new Date(Date.parse('2026-03-10T00:00:00Z') + at * 180_000).toISOString(), 1 + ((at * 7) % 100)),
  );
  await device.ingest({ samples: levels });
  const [day] = await sampleRows(device.deps.store).readBetween(device.userId, 'stress_score', {
    from: '2026-03-10',
    to: '2026-03-10',
  });
  expect(day?.samples.map(({ startMs, value }) => [startMs, value])).toEqual(
    levels.map(({ startMs, value }) => [startMs, value]),
  );
});
