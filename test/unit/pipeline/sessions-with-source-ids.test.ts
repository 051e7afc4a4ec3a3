// A session with a source id stays the same session wherever an edit moves it.
import { beforeEach, describe, expect, test } from 'vitest';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { findSessionDate } from '../../../shared/pipeline/find-session-date.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import {
  createProviderDevice,
  exerciseFrom,
  hourMs,
  type ProviderDevice,
  sleepUntil,
  tableCrashingAfter,
} from '../../harness/provider-device.ts';
import { addDevice, watch } from '../../harness/stored-data.ts';

let device: ProviderDevice;
beforeEach(async () => {
  device = await createProviderDevice();
});

const first = '2026-03-10T06:00:00Z';
const find = (kind: 'sleep' | 'workouts', sourceId: string) =>
  findSessionDate(device.deps.store, device.userId, device.device.ordinal, kind, sourceId);

describe.each([
  ['by an hour', '2026-03-10T07:00:00Z', '2026-03-10'],
  ['to the day before', '2026-03-09T07:00:00Z', '2026-03-09'],
  ['by weeks', '2026-04-21T07:00:00Z', '2026-04-21'],
  ['by years', '2024-02-29T07:00:00Z', '2024-02-29'],
])('a night that moves %s', (_how, end, date) => {
  test('is stored once, under the id it had, and its day moves with it', async () => {
    await device.ingest({ sleep: [sleepUntil(first, { sourceId: 'n1' })] });
    const [before] = (await device.read()).sleep;
    await device.ingest({ sleep: [sleepUntil(end, { sourceId: 'n1', asleepMinutes: 410 })] });
    const { sleep, days } = await device.read();
    expect(sleep).toEqual([{ ...before, date, startMs: Date.parse(end) - 8 * hourMs, asleepMinutes: 410 }]);
    expect(Object.keys(days)).toEqual([date]);
    expect(await find('sleep', 'n1')).toEqual({ date });
  });

  test('does so when its worker crashes at any write', async () => {
    const expected = await (async () => {
      await device.ingest({ sleep: [sleepUntil(first, { sourceId: 'n1' })] });
      await device.ingest({ sleep: [sleepUntil(end, { sourceId: 'n1' })] });
      return device.read();
    })();
    let deaths = 0;
    for (let writes = 0; ; writes++) {
      const own = await createProviderDevice(memoryTable());
      await own.ingest({ sleep: [sleepUntil(first, { sourceId: 'n1' })] });
      await own.accept({ sleep: [sleepUntil(end, { sourceId: 'n1' })] });
      const table = tableCrashingAfter(own.table, writes);
      await own.processPending(own.withTable(table)).catch(() => {});
      if (!table.isDead()) break;
      deaths++;
      own.clock.advance(600_000);
      await own.processPending();
      const { days, sleep } = await own.read();
      expect(days).toEqual(expected.days);
      expect(sleep.map(({ date: storedOn, startMs }) => [storedOn, startMs])).toEqual(
        expected.sleep.map(({ date: storedOn, startMs }) => [storedOn, startMs]),
      );
    }
    expect(deaths).toBeGreaterThan(2);
  });
});

test('a workout that moves by weeks is stored once when its worker crashes at any write', async () => {
  const from = { workouts: [exerciseFrom('2026-03-10T18:00:00Z', { sourceId: 'w1' })] };
  const to = { workouts: [exerciseFrom('2026-05-02T18:00:00Z', { sourceId: 'w1' })] };
  let deaths = 0;
  for (let writes = 0; ; writes++) {
    const own = await createProviderDevice();
    await own.ingest(from);
    await own.accept(to);
    const table = tableCrashingAfter(own.table, writes);
    await own.processPending(own.withTable(table)).catch(() => {});
    if (!table.isDead()) break;
    deaths++;
    own.clock.advance(600_000);
    await own.processPending();
    expect((await own.read()).workouts).toMatchObject([{ date: '2026-05-02', sourceId: 'w1' }]);
  }
  expect(deaths).toBeGreaterThan(3);
});

test('a workout that moves by weeks is stored once, and can move back', async () => {
  const [here, there] = ['2026-03-10T18:00:00Z', '2026-05-02T18:00:00Z'];
  for (const [start, date] of [
    [here, '2026-03-10'],
    [there, '2026-05-02'],
    [here, '2026-03-10'],
  ] as const) {
    await device.ingest({ workouts: [exerciseFrom(start, { sourceId: 'w1' })] });
    expect((await device.read()).workouts).toMatchObject([{ date, sourceId: 'w1' }]);
    expect(await find('workouts', 'w1')).toEqual({ date });
  }
  expect(await find('sleep', 'w1')).toBeUndefined();
});

test('a workout that has moved is found on its new day, next to other workouts on the old one', async () => {
  const [here, there] = ['2026-03-10T18:00:00Z', '2026-05-02T18:00:00Z'];
  const other = await addDevice(device.deps, device.userId, watch);
  await device.accept({ workouts: [exerciseFrom(here, { sourceId: 'w1' })] }, other);
  const stays = exerciseFrom('2026-03-10T08:00:00Z', { sourceId: 'w2' });
  await device.ingest({ workouts: [exerciseFrom(here, { sourceId: 'w1' }), stays] });
  await device.ingest({ workouts: [exerciseFrom(there, { sourceId: 'w1' })] });
  expect(await find('workouts', 'w1')).toEqual({ date: '2026-05-02' });
  expect((await device.read()).workouts).toHaveLength(3);
});

test('two sessions with one start and different source ids are two sessions', async () => {
  const sleep = ['n1', 'n2'].map((sourceId) => sleepUntil(first, { sourceId }));
  await device.ingest({ sleep });
  const sessions = (await device.read()).sleep;
  expect(sessions.map(({ sourceId }) => sourceId).sort()).toEqual(['n1', 'n2']);
  expect(new Set(sessions.map(({ id }) => id)).size).toBe(2);
});

test('a session that arrived without a source id can get one later, and keeps its id', async () => {
  await device.ingest({ sleep: [sleepUntil(first)] });
  const [before] = (await device.read()).sleep;
  await device.ingest({ sleep: [sleepUntil(first, { sourceId: 'n1' })] });
  expect((await device.read()).sleep).toEqual([{ ...before, sourceId: 'n1' }]);
  await device.ingest({ sleep: [sleepUntil('2026-03-30T06:00:00Z', { sourceId: 'n1' })] });
  expect((await device.read()).sleep).toMatchObject([{ id: before?.id, date: '2026-03-30' }]);
});

test('a report without a source id that starts with a known session updates it, and the source id stays', async () => {
  await device.ingest({ sleep: [sleepUntil(first, { sourceId: 'n1' })] });
  await device.ingest({ sleep: [sleepUntil(first, { asleepMinutes: 390 })] });
  expect((await device.read()).sleep).toMatchObject([{ sourceId: 'n1', asleepMinutes: 390 }]);
});

test('an unknown source id is not found', async () => {
  expect(await find('sleep', 'n1')).toBeUndefined();
});

test('removing a device removes the stored dates of its sessions', async () => {
  const workouts = [exerciseFrom('2026-03-10T18:00:00Z', { sourceId: 'w1' })];
  await device.ingest({ sleep: [sleepUntil(first, { sourceId: 'n1' })], workouts });
  const listPositionRows = async () => (await device.sortKeys()).filter((sk) => sk.startsWith('L#'));
  expect(await listPositionRows()).toHaveLength(2);
  await disconnectDevice(device.deps, device.caller, device.userId, device.device.id);
  await device.processPending();
  expect(await listPositionRows()).toEqual([]);
});
