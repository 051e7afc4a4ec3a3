// All sleep of a range, and workouts by numbered pages: what is found, and what finding it costs.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LocalTable } from '../../../../infra/local/local-table.ts';
import type { Table } from '../../../../shared/platform/ports.ts';
import { addDays } from '../../../../shared/platform/time/local-day.ts';
import { type NightsRequest, readNights } from '../../../../shared/reads/sleep/read-sleep.ts';
import {
  readWorkout,
  readWorkoutsAtOffset,
  type WorkoutsAtOffsetRequest,
} from '../../../../shared/reads/workouts/read-workouts.ts';
import type { Caller } from '../../../../shared/system/caller.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import type { DeviceRow } from '../../../../shared/users/device-rows.ts';
import { createUser } from '../../../../shared/users/users.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import {
  addCanonical,
  addDevice,
  addSleep,
  addTrace,
  addWorkouts,
  changeSettings,
  ring,
  sleepRow,
  watch,
  workoutRow,
} from '../../../harness/stored-data.ts';
import { startTable } from '../../system/engines.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t7', env: 'live', form: 1 };
const range = { from: '2026-03-01', to: '2026-03-31', names: { from: 'start', to: 'end' }, maxDays: 366 };

let localTable: LocalTable;
let deps: Deps;
let user: string;
let finger: DeviceRow;
let wrist: DeviceRow;
const calls: { operation: string; readUnits: number }[] = [];
beforeAll(async () => {
  localTable = await startTable(undefined, (call) => calls.push(call));
  deps = memoryDeps().withTable(localTable.table);
});
afterAll(() => localTable.stop());
beforeEach(async () => {
  user = (await createUser(deps, caller, { timezone: 'Europe/Berlin', profile: { date_of_birth: '1986-03-14' } })).id;
  finger = await addDevice(deps, user, ring);
  wrist = await addDevice(deps, user, watch);
});

/** Writes several days at once, since none depends on another. */
async function onDays(count: number, write: (day: number) => Promise<void>): Promise<void> {
  const days = [...Array(count).keys()];
  while (days.length > 0) await Promise.all(days.splice(0, 20).map(write));
}

/** Returns what was read, and the calls it took. */
async function measureCalls<T>(read: () => Promise<T>): Promise<{ found: T; operations: string[]; units: number }> {
  calls.length = 0;
  const found = await read();
  const units = calls.reduce((sum, { readUnits }) => sum + readUnits, 0);
  return { found, operations: calls.map(({ operation }) => operation).sort(), units };
}

describe('all sleep of a range', () => {
  const read = (requested: Partial<NightsRequest> = {}) =>
    readNights(deps, caller, user, {
      range,
      vitals: ['sleep_heart_rate', 'sleep_skin_temperature'],
      withSources: false,
      ...requested,
    });
  const sleepOn = (date: string, ...rows: ReturnType<typeof sleepRow>[]) => addSleep(deps, user, date, ...rows);

  test('comes earliest first, with one of several reports, naps included', async () => {
    const [first, second] = [
      sleepRow(finger.ordinal, '2026-03-09T22:00:00Z', 480),
      sleepRow(finger.ordinal, '2026-03-10T22:00:00Z', 480),
    ];
    const nap = sleepRow(finger.ordinal, '2026-03-10T13:00:00Z', 40);
    await sleepOn('2026-03-11', second);
    await sleepOn('2026-03-10', nap, sleepRow(wrist.ordinal, '2026-03-09T22:10:00Z', 470), first);
    await sleepOn('2026-04-01', sleepRow(finger.ordinal, '2026-03-31T22:00:00Z', 480));
    const { range: answered, nights } = await read();
    expect(answered).toEqual({ from: '2026-03-01', to: '2026-03-31' });
    expect(nights.map(({ row, date, isMainSleep }) => [row.id, date, isMainSleep])).toEqual([
      [first.id, '2026-03-10', true],
      [nap.id, '2026-03-10', false],
      [second.id, '2026-03-11', true],
    ]);
  });

  test('has the vitals of its day with the main sleep, as measured, and none with a nap or on a day without any', async () => {
    await sleepOn(
      '2026-03-10',
      sleepRow(finger.ordinal, '2026-03-09T22:00:00Z', 480, { deepMinutes: 70.3, remMinutes: 80.4 }),
      sleepRow(finger.ordinal, '2026-03-10T13:00:00Z', 40, { deepMinutes: 5 }),
    );
    await sleepOn('2026-03-11', sleepRow(finger.ordinal, '2026-03-10T22:00:00Z', 480));
    await addCanonical(deps, user, '2026-03-10', { sleep_heart_rate: 52.3456, sleep_blood_oxygen: 97 });
    const { nights } = await read();
    expect(nights.map(({ vitals, restorativeMinutes }) => [vitals, restorativeMinutes])).toEqual([
      [new Map([['sleep_heart_rate', 52.3456]]), 150.7],
      [new Map(), null],
      [new Map(), null],
    ]);
  });

  test('has the devices of those vitals on request, without more calls', async () => {
    const nap = sleepRow(finger.ordinal, '2026-03-10T13:00:00Z', 40);
    await sleepOn('2026-03-10', sleepRow(finger.ordinal, '2026-03-09T22:00:00Z', 480), nap);
    await addCanonical(deps, user, '2026-03-10', { sleep_heart_rate: 52 }, wrist.ordinal);
    const devices = async (withSources: boolean) => {
      const { found, operations } = await measureCalls(() => read({ withSources }));
      expect(operations).toEqual(['Query', 'Query', 'Query']);
      return found.nights.map(({ device, vitalDevices }) => [device.id, vitalDevices.get('sleep_heart_rate')?.id]);
    };
    expect(await devices(true)).toEqual([
      [finger.id, wrist.id],
      [finger.id, undefined],
    ]);
    expect(await devices(false)).toEqual([
      [finger.id, undefined],
      [finger.id, undefined],
    ]);
  });

  test('excludes a provider that is disabled for sleep', async () => {
    await sleepOn('2026-03-10', sleepRow(finger.ordinal, '2026-03-09T22:00:00Z', 480));
    await changeSettings(deps, user, { disabled: ['oura'] });
    expect((await read()).nights).toEqual([]);
  });

  test('is read in parallel with the user and the days', async () => {
    await sleepOn('2026-03-10', sleepRow(finger.ordinal, '2026-03-09T22:00:00Z', 480));
    const { promise, resolve } = Promise.withResolvers<void>();
    let requested = 0;
    const together: Table = {
      ...localTable.table,
      async *queryAll(query) {
        requested += 1;
        if (requested === 3) resolve();
        await promise;
        yield* localTable.table.queryAll(query);
      },
    };
    const { nights } = await readNights(memoryDeps().withTable(together), caller, user, {
      range,
      vitals: [],
      withSources: false,
    });
    expect([nights.length, requested]).toEqual([1, 3]);
  });

  test('of a year takes three queries', async () => {
    await onDays(366, async (day) => {
      const date = addDays('2025-03-31', day);
      await sleepOn(date, sleepRow(finger.ordinal, `${date}T00:00:00Z`, 420, { asleepMinutes: 400, deepMinutes: 60 }));
      await addCanonical(deps, user, date, { sleep_heart_rate: 50 + (day % 9), asleep: 400 });
    });
    const year = { ...range, from: '2025-03-31' };
    const { found, operations, units } = await measureCalls(() => read({ range: year }));
    expect(found.nights).toHaveLength(366);
    expect(found.nights[9]?.vitals.get('sleep_heart_rate')).toBe(50);
    expect(operations).toEqual(['Query', 'Query', 'Query']);
    expect(units).toBeLessThanOrEqual(25);
  });

  test('of a range that is too long or reversed is rejected before anything is read', async () => {
    const refused = { code: 'invalid_request', details: { issues: [{ path: 'start' }] } };
    await measureCalls(async () => {
      await expect(read({ range: { ...range, maxDays: 30 } })).rejects.toMatchObject(refused);
      await expect(read({ range: { ...range, to: '2026-02-28' } })).rejects.toMatchObject(refused);
    });
    expect(calls).toEqual([]);
  });

  test('up to today that is too long or has not begun is rejected with next to nothing read, in any zone', async () => {
    const { to: _today, ...open } = range;
    const refused = { code: 'invalid_request', details: { issues: [{ path: 'start' }] } };
    const { operations, units } = await measureCalls(async () => {
      await expect(read({ range: { ...open, from: '2020-01-01' } })).rejects.toMatchObject(refused);
      await expect(read({ range: { ...open, from: '2030-01-01' } })).rejects.toMatchObject(refused);
    });
    expect(operations.length).toBeLessThanOrEqual(6);
    expect(units).toBeLessThanOrEqual(6);
  });

  test("covers the last 30 days in the user's time zone when no days are named", async () => {
    const { names, maxDays } = range;
    expect((await read({ range: { names, maxDays: maxDays } })).range).toEqual({
      from: '2026-02-09',
      to: '2026-03-10',
    });
  });

  test('of a user of another account is not found', async () => {
    const otherCaller: Caller = { ...caller, account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t8' };
    await expect(readNights(deps, otherCaller, user, { range, vitals: [], withSources: false })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('workouts by numbered pages', () => {
  const read = (requested: Partial<WorkoutsAtOffsetRequest> = {}) =>
    readWorkoutsAtOffset(deps, caller, user, { range, offset: 0, limit: 20, ...requested });
  const traceOf = (startMs: number) =>
    Array.from({ length: 60 }, (_none, at) => ({ atMs: startMs + at * 30_000, bpm: 95 + at }));

  test('contain each workout once, earliest first, and the total of the range', async () => {
    const stored = [];
    for (const [date, hours] of [
      ['2026-03-20', [6, 9, 17]],
      ['2026-03-02', [7]],
      ['2026-03-31', [8, 10]],
    ] as const) {
      const rows = hours.map((hour) =>
        workoutRow(wrist.ordinal, `${date}T${String(hour).padStart(2, '0')}:00:00Z`, 30),
      );
      await addWorkouts(deps, user, date, ...rows.toReversed());
      stored.push(...rows);
    }
    await addWorkouts(deps, user, '2026-03-20', workoutRow(finger.ordinal, '2026-03-20T06:01:00Z', 30));
    await addWorkouts(deps, user, '2026-04-01', workoutRow(wrist.ordinal, '2026-04-01T08:00:00Z', 30));
    const expected = stored.toSorted((a, b) => a.startMs - b.startMs).map(({ id }) => id);
    for (const limit of [1, 2, 4, 6, 100]) {
      const seen: string[] = [];
      for (let offset = 0; offset < 6; offset += limit) {
        const page = await read({ offset, limit });
        expect(page.total).toBe(6);
        seen.push(...page.workouts.map(({ row }) => row.id));
      }
      expect(seen).toEqual(expected);
    }
    expect(await read({ offset: 6 })).toMatchObject({ workouts: [], total: 6 });
  });

  test('have the same zones as a workout that is read alone, and null without a trace', async () => {
    const traced = workoutRow(wrist.ordinal, '2026-03-14T16:00:00Z', 30, { trace: 'x', maxHeartRate: 171 });
    const silent = workoutRow(wrist.ordinal, '2026-03-15T16:00:00Z', 30);
    const lost = workoutRow(wrist.ordinal, '2026-03-16T16:00:00Z', 30, { trace: 'y' });
    for (const row of [traced, silent, lost])
      await addWorkouts(deps, user, new Date(row.startMs).toISOString().slice(0, 10), row);
    await addTrace(deps, user, traced.id, traceOf(traced.startMs - 60_000));
    const alone = await readWorkout(deps, caller, user, traced.id);
    const { workouts } = await read();
    expect(workouts.map(({ zones }) => zones)).toEqual([alone.heartRate?.zones, null, null]);
    expect(alone.heartRate?.zones.map(({ minutes }) => minutes).some((minutes) => minutes > 0)).toBe(true);
  });

  test('have zones by the highest recorded heart rate where the age is unknown', async () => {
    user = (await createUser(deps, caller, {})).id;
    const { ordinal } = await addDevice(deps, user, watch);
    const row = workoutRow(ordinal, '2026-03-14T16:00:00Z', 30, { trace: 'x', maxHeartRate: 205 });
    await addWorkouts(deps, user, '2026-03-14', row);
    await addTrace(deps, user, row.id, traceOf(row.startMs));
    const { workouts } = await read();
    expect(workouts[0]?.zones?.map(({ minBpm }) => minBpm)).toEqual([103, 123, 144, 164, 185]);
  });

  test('read the traces of their own workouts only, in one call, and none where there is none', async () => {
    for (let day = 0; day < 12; day++) {
      const date = addDays('2026-03-01', day);
      const row = workoutRow(wrist.ordinal, `${date}T16:00:00Z`, 30, { trace: day % 2 === 0 ? 'x' : null });
      await addWorkouts(deps, user, date, row);
      if (row.trace !== null) await addTrace(deps, user, row.id, traceOf(row.startMs));
    }
    const page = await measureCalls(() => read({ offset: 4, limit: 4 }));
    expect(page.found.workouts.map(({ zones }) => zones !== null)).toEqual([true, false, true, false]);
    expect(page.operations).toEqual(['BatchGetItem', 'Query', 'Query']);
    expect(page.units).toBeLessThanOrEqual(4);
    const untraced = await measureCalls(() => read({ offset: 5, limit: 1 }));
    expect(untraced.operations).toEqual(['Query', 'Query']);
  });
});

describe('a range with more sessions than one response can hold', () => {
  const year = { from: '2025-04-01', to: '2026-03-31', names: { from: 'start', to: 'end' }, maxDays: 366 };
  const fillDay = <Row>(date: string, make: (start: string) => Row): Row[] =>
    Array.from({ length: 200 }, (_, at) =>
      make(new Date(Date.parse(`${date}T00:00:00Z`) + at * 420_000).toISOString()),
    );

  test.each(['sleep', 'workouts'] as const)(
    'is rejected for %s with the name of its start, and not read further',
    async (kind) => {
      await onDays(120, async (day) => {
        const date = addDays('2025-12-01', day);
        if (kind === 'sleep')
          await addSleep(deps, user, date, ...fillDay(date, (at) => sleepRow(finger.ordinal, at, 6)));
        else await addWorkouts(deps, user, date, ...fillDay(date, (at) => workoutRow(wrist.ordinal, at, 6)));
      });
      const read = (from: string) =>
        kind === 'sleep'
          ? readNights(deps, caller, user, { range: { ...year, from }, vitals: [], withSources: false })
          : readWorkoutsAtOffset(deps, caller, user, { range: { ...year, from }, offset: 0, limit: 1 });
      const refused = await read(year.from).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'invalid_request', details: { issues: [{ path: 'start' }] } });
      const found = await read(addDays('2025-12-01', 85));
      expect('total' in found ? found.total : found.nights.length).toBe(7_000);
    },
  );
});
