// A newer normalizer reads the raw data of a device again, in the order of its arrival; read as
// before, it changes nothing.
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { CoveredRange, Records } from '../../../shared/measurements/records.ts';
import { replayDevice, requestReplay } from '../../../shared/pipeline/replay-device.ts';
import type { Normalizer } from '../../../shared/providers/kit/normalizer.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import {
  createProviderDevice,
  exerciseFrom,
  type ProviderDevice,
  sleepUntil,
  tableCrashingAfter,
} from '../../harness/provider-device.ts';
import { addDevice, watch } from '../../harness/stored-data.ts';

let device: ProviderDevice;
beforeEach(async () => {
  device = await createProviderDevice();
});

const date = '2026-03-10';
const weight = (value: number, on = date): Partial<Records> => ({ daily: [{ metric: 'weight', date: on, value }] });
const window: CoveredRange = { from: '2026-03-01', to: '2026-03-31', sleep: true, workouts: true, daily: ['weight'] };

/** A release that has learned that the source weighs in another unit. */
const heavier: Normalizer = (raw) => {
  const records: Records = JSON.parse(Buffer.from(raw).toString());
  return {
    records: { ...records, daily: records.daily.map((total) => ({ ...total, value: total.value * 2 })) },
    rejected: { count: 0, first: [] },
  };
};
const replay = (own = device, deps = own.deps) => replayDevice(deps, own.userId, own.device.id);
const change = async (deviceId: string, values: Record<string, unknown>) => {
  const row = device.allItems().find(({ id, status }) => id === deviceId && status !== undefined);
  if (!row) throw new Error(`no row of the device ${deviceId}`);
  await device.table.write({ kind: 'put', item: { ...row, pk: String(row['pk']), sk: String(row['sk']), ...values } });
};
const snapshotItems = (own = device) =>
  structuredClone(own.allItems().filter(({ sk }) => /^([TZWNDLH]#|EVENT)/.test(String(sk))));

describe('a replay', () => {
  test('with a normalizer that reads a value differently changes the days', async () => {
    await device.ingest(weight(40, '2026-03-09'));
    await device.ingest(weight(41));
    await device.ingest(weight(42));
    expect(await replay()).toBe(3);
    await device.processPending(device.withTable(device.table, heavier));
    expect((await device.read()).days).toEqual({ '2026-03-09': { weight: 80 }, [date]: { weight: 84 } });
  });

  test('with the same normalizer changes nothing, even after sessions moved and were retracted', async () => {
    await device.ingest({ ...weight(40), sleep: [sleepUntil('2026-03-10T06:00:00Z', { sourceId: 'n' })] });
    await device.ingest({ sleep: [sleepUntil('2026-03-14T06:00:00Z', { sourceId: 'n' })], covered: [window] });
    const heartRate = [{ atMs: Date.parse('2026-03-12T18:10:00Z'), bpm: 120 }];
    const workouts = [exerciseFrom('2026-03-12T18:00:00Z', { sourceId: 'w', heartRate })];
    await device.ingest({ ...weight(44), workouts });
    await device.ingest({ ...weight(40) });
    const before = snapshotItems();
    expect(await replay()).toBe(4);
    await device.processPending();
    expect(snapshotItems()).toEqual(before);
  });

  test('runs after everything that is pending, and before everything that arrives later', async () => {
    await device.ingest(weight(40));
    await device.accept(weight(41));
    await replay();
    await device.accept(weight(42));
    await replay();
    await device.accept(weight(43));
    await device.processPending();
    expect((await device.read()).days).toEqual({ [date]: { weight: 43 } });
  });

  test('queues nothing while another one of the device waits to begin, but does so once it has begun', async () => {
    const other = await addDevice(device.deps, device.userId, watch);
    await device.ingest(weight(40));
    await device.accept(weight(50, '2026-03-11'), other);
    expect(await replay()).toBe(1);
    expect(await replay()).toBe(0);
    expect(await replayDevice(device.deps, device.userId, other.id)).toBe(1);
    const [waiting] = device.allItems().filter(({ kind, device: of }) => kind === 'replay' && of === device.device.id);
    if (!waiting) throw new Error('no replay is waiting');
    await device.table.write({
      kind: 'put',
      item: { ...waiting, pk: String(waiting['pk']), sk: String(waiting['sk']), replayed: 1 },
    });
    expect(await replay()).toBe(1);
  });

  test('counts as received after all earlier uploads, even with a clock that goes wrong, and wakes a worker', async () => {
    const received = async () =>
      (await readUserContext(device.deps, device.userId))?.devices.find(({ id }) => id === device.device.id)
        ?.receivedMs ?? 0;
    for (const value of [40, 41, 42]) await device.ingest(weight(value));
    const before = await received();
    device.clock.advance(before - device.clock.now() - 60_000);
    const sent: unknown[] = [];
    const queue = {
      ...device.deps.queue,
      send: async (...sentArgs: unknown[]) => void sent.push(sentArgs.slice(0, 2)),
    };
    await replay(device, { ...device.deps, queue });
    // One millisecond for each of the three uploads.
    expect(await received()).toBe(before + 1 + 3);
    expect(sent).toEqual([['user', { user_id: device.userId, wake: 0 }]]);
  });

  test('leaves other devices alone', async () => {
    const other = await addDevice(device.deps, device.userId, watch);
    await device.accept(weight(50, '2026-03-11'), other);
    await device.ingest(weight(40));
    expect(await replay()).toBe(1);
    await device.processPending(device.withTable(device.table, heavier));
    expect((await device.read()).days).toEqual({ [date]: { weight: 80 }, '2026-03-11': { weight: 50 } });
  });

  test('of more than a worker processes at once continues where it stopped', async () => {
    for (let day = 1; day <= 9; day++) await device.ingest(weight(40 + day, `2026-03-0${day}`));
    for (const row of device.allItems().filter(({ sk }) => String(sk).startsWith('R#')))
      await device.table.write({
        kind: 'put',
        item: { ...row, pk: String(row['pk']), sk: String(row['sk']), records: 90_000 },
      });
    await replay();
    await device.processPending(device.withTable(device.table, heavier));
    const days = Object.values((await device.read()).days).map((values) => values['weight']);
    expect(days).toEqual([82, 84, 86, 88, 90, 92, 94, 96, 98]);
  });

  test('skips raw data that is about to expire', async () => {
    await device.ingest(weight(40));
    expect(await replay()).toBe(1);
    await device.processPending();
    device.clock.advance(30 * 24 * 3_600_000);
    expect(await replay()).toBe(0);
  });

  test('skips an upload that cannot be read, and processes the rest', async () => {
    await device.ingest(weight(40, '2026-03-09'));
    await device.ingest(weight(41));
    await replay();
    const picky: Normalizer = (raw, facts) => {
      const read = heavier(raw, facts);
      if (read.records.daily.some(({ value }) => value === 80)) throw new Error('the upload cannot be read');
      return read;
    };
    await device.processPending(device.withTable(device.table, picky));
    expect((await device.read()).days).toEqual({ '2026-03-09': { weight: 40 }, [date]: { weight: 82 } });
  });

  test('of a device that waits for consent queues nothing', async () => {
    const { id } = await addDevice(device.deps, device.userId, watch);
    await change(id, { status: 'pending' });
    expect(await replayDevice(device.deps, device.userId, id)).toBe(0);
  });

  test('of a device that does not exist, or is being removed, is rejected', async () => {
    await expect(replayDevice(device.deps, device.userId, 'dev_none')).rejects.toThrow('Device dev_none not found.');
    await device.ingest(weight(40));
    await change(device.device.id, { status: 'removing' });
    await expect(replay()).rejects.toThrow(`Device ${device.device.id} not found.`);
  });
});

test('an upload that arrives while a replay is being enqueued stays the latest', async () => {
  for (let calls = 0; calls < 12; calls++) {
    const own = await createProviderDevice();
    await own.ingest(weight(40));
    let left = calls;
    const { table } = own;
    const first = <T>(call: () => Promise<T>): Promise<T> =>
      left-- === 0 ? own.accept(weight(41)).then(call) : call();
    const meeting = own.withTable({
      ...table,
      query: (...args) => first(() => table.query(...args)),
      batchGet: (...args) => first(() => table.batchGet(...args)),
      get: (...args) => first(() => table.get(...args)),
      transact: (...args) => first(() => table.transact(...args)),
    });
    // By its clock, the replay comes later than the upload.
    await replay(own, { ...meeting, clock: { now: () => own.clock.now() + 60_000 } });
    await own.processPending();
    expect((await own.read()).days).toEqual({ [date]: { weight: left < 0 ? 41 : 40 } });
  }
});

test('a crash during a replay, or requesting it twice, leaves the days as they were', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 40, max: 60 }), fc.boolean()), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.nat({ max: 12 }),
      fc.boolean(),
      async (uploads, writes, twice) => {
        const own = await createProviderDevice();
        for (const [day, value, claims] of uploads)
          await own.ingest({ ...weight(value, `2026-03-0${day}`), ...(claims ? { covered: [window] } : {}) });
        const before = await own.read();
        await replay(own);
        if (twice) await replay(own);
        await own.processPending(own.withTable(tableCrashingAfter(own.table, writes))).catch(() => {});
        own.clock.advance(600_000);
        await own.processPending();
        expect(await own.read()).toEqual(before);
      },
    ),
    { numRuns: 40 },
  );
});

describe('a request for a replay', () => {
  const minuteMs = 60_000;
  const formatMs = (ms: number): string => new Date(ms).toISOString();
  const requestAt = (nowMs: number, id = device.device.id, deps = device.deps) =>
    requestReplay({ ...deps, clock: { now: () => nowMs } }, device.caller, device.userId, id);

  test('has an effect once in fifteen minutes, and a refused request reads no upload and writes nothing', async () => {
    await device.ingest(weight(40));
    const firstMs = device.clock.now();
    const nextMs = firstMs + 15 * minuteMs;
    expect(await requestAt(firstMs)).toEqual({ accepted: true, uploads: 1, next_at: formatMs(nextMs) });
    await device.processPending();
    const { table } = device;
    const calls: string[] = [];
    const record =
      <Args extends unknown[], T>(call: (...args: Args) => T) =>
      (...args: Args): T => {
        calls.push(JSON.stringify(args));
        return call(...args);
      };
    const watched = device.withTable({
      ...table,
      query: record(table.query),
      queryAll: record(table.queryAll),
      transact: record(table.transact),
      write: record(table.write),
    });
    const refused = await requestAt(nextMs - 1, device.device.id, watched);
    expect(refused).toEqual({ accepted: false, uploads: 0, next_at: formatMs(nextMs) });
    expect(calls).toHaveLength(1);
    expect(await requestAt(nextMs)).toMatchObject({ accepted: true, uploads: 1 });
  });

  test('that several callers make at once has one effect', async () => {
    await device.ingest(weight(40));
    const nowMs = device.clock.now();
    const replies = await Promise.all([1, 2, 3, 4].map(() => requestAt(nowMs)));
    expect(replies.filter(({ accepted }) => accepted)).toHaveLength(1);
  });

  test('that fails can be repeated at once', async () => {
    await device.ingest(weight(40));
    const failing = device.withTable({
      ...device.table,
      transact: () => Promise.reject(new Error('the table is gone')),
    });
    const nowMs = device.clock.now();
    await expect(requestAt(nowMs, device.device.id, failing)).rejects.toThrow('the table is gone');
    expect(await requestAt(nowMs)).toMatchObject({ accepted: true, uploads: 1 });
  });

  test('has no effect while the history is imported, or before there is consent', async () => {
    await device.ingest(weight(40));
    const nowMs = device.clock.now();
    const refused = { accepted: false, uploads: 0, next_at: formatMs(nowMs) };
    const sync = { from: '2026-03-01', to: '2026-03-10', doneDays: 1 };
    await change(device.device.id, { sync: { ...sync, state: 'backfilling' } });
    expect(await requestAt(nowMs)).toEqual(refused);
    await change(device.device.id, { sync: { ...sync, state: 'current' } });
    const waiting = await addDevice(device.deps, device.userId, watch);
    await change(waiting.id, { status: 'pending' });
    expect(await requestAt(nowMs, waiting.id)).toEqual(refused);
    expect(await requestAt(nowMs)).toMatchObject({ accepted: true, uploads: 1 });
    await expect(requestAt(nowMs, 'dev_none')).rejects.toThrow('Device dev_none not found.');
  });
});
