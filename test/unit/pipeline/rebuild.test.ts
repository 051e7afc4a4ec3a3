import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { patchConfiguration } from '../../../shared/consolidation/configuration.ts';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { stateRows } from '../../../shared/users/state-rows.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { runWriter } from '../../harness/run-writer.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

const dates = (count: number) =>
  Array.from({ length: count }, (_none, i) => new Date(Date.UTC(2016, 0, 1 + i)).toISOString().slice(0, 10));

async function twoDevices(count: number): Promise<string> {
  const user = await world.user();
  for (const [provider, type, value] of [
    ['apple_health', 'wrist', 100],
    ['samsung_health', 'phone', 300],
  ] as const)
    await world.upload(user, provider, {
      time_zone: 'UTC',
      device: { name: type, model: type, type },
      daily: dates(count).flatMap((date, i) => [
        { date, metric: 'steps', value: value + i, unit: 'count' },
        { date, metric: 'distance', value: value / 100, unit: 'km' },
      ]),
    });
  await runWriter(world.deps, user);
  return user;
}

async function steps(user: string): Promise<(number | undefined)[]> {
  const values: (number | undefined)[] = [];
  for await (const { packed } of dayRows(world.deps.store).iterateCanonical(user, '0000', '9999'))
    values.push(decodeCanonicalDay(packed).get('steps')?.value);
  return values;
}
const patch = (user: string, method: 'max' | 'avg' | 'sum' | 'priority' | null) =>
  patchConfiguration(world.deps, world.caller, user, { metrics: { steps: { method } } });
const expectedMax = (count: number) => dates(count).map((_date, i) => 300 + i);

/** Counts the canonical days written, and can crash at one of them. */
function watching(diesAt = Number.POSITIVE_INFINITY): { table: Table; written: () => number } {
  let written = 0;
  return {
    table: {
      ...world.localTable.table,
      async write(write) {
        if (write.kind === 'put' && write.item.sk.startsWith('D#') && ++written >= diesAt) throw new Error('killed');
        return world.localTable.table.write(write);
      },
    },
    written: () => written,
  };
}

test('ten quick patches cause one rebuild, and the last patch counts', async () => {
  const user = await twoDevices(60);
  const methods = ['max', 'avg', 'sum', 'max', 'avg', 'sum', 'max', 'avg', 'sum', 'max'] as const;
  for (const method of methods) await patch(user, method);
  const seen = watching();
  for (const _ of methods) await runWriter(world.withTable(seen.table), user);
  expect(seen.written()).toBe(60);
  expect(await steps(user)).toEqual(expectedMax(60));
  const state = await stateRows(world.deps.store).get(user);
  expect(state.builtGeneration).toBe(state.generation);
});

test('a patch during a rebuild restarts it, and one event covers both changes', async () => {
  const user = await twoDevices(60);
  await patch(user, 'max');
  const before = (await world.events()).length;
  let patched = false;
  const meeting: Table = {
    ...world.localTable.table,
    async write(write) {
      if (!patched && write.kind === 'put' && write.item.sk === 'D#2016-01-30') {
        patched = true;
        await patchConfiguration(world.deps, world.caller, user, {
          metrics: { steps: { method: null }, distance: { method: 'max' } },
        });
      }
      return world.localTable.table.write(write);
    },
  };
  await runWriter(world.withTable(meeting), user);
  await runWriter(world.deps, user);
  expect(patched).toBe(true);
  expect((await world.events()).slice(before)).toMatchObject([
    {
      type: 'subject.synced',
      metrics: ['distance', 'steps'],
      more: { from_date: '2016-01-01', to_date: '2016-02-29' },
    },
  ]);
  const state = await stateRows(world.deps.store).get(user);
  expect(state.builtGeneration).toBe(state.generation);
});

test('only the days that change are written, and one event names them', async () => {
  const user = await twoDevices(20);
  await patch(user, 'max');
  const before = (await world.events()).length;
  const seen = watching();
  await runWriter(world.withTable(seen.table), user);
  expect(seen.written()).toBe(20);
  const events = (await world.events()).slice(before);
  expect(events).toMatchObject([
    { type: 'subject.synced', user, metrics: ['steps'], more: { from_date: '2016-01-01', to_date: '2016-01-20' } },
  ]);
  await patchConfiguration(world.deps, world.caller, user, { metrics: { weight: { method: 'max' } } });
  const again = watching();
  await runWriter(world.withTable(again.table), user);
  expect(again.written()).toBe(0);
  expect((await world.events()).length).toBe(before + 1);
});

test('a rebuild killed at any day is completed by the next worker, with one event for all changes', async () => {
  for (const diesAt of [1, 7, 16, 17, 40]) {
    const user = await twoDevices(40);
    await patch(user, 'max');
    const before = (await world.events()).length;
    await expect(runWriter(world.withTable(watching(diesAt).table), user)).rejects.toThrow('killed');
    await runWriter(world.deps, user);
    expect(await steps(user)).toEqual(expectedMax(40));
    expect((await world.events()).slice(before)).toMatchObject([
      { type: 'subject.synced', metrics: ['steps'], more: { from_date: '2016-01-01', to_date: '2016-02-09' } },
    ]);
  }
});

test('a rebuild whose message was lost is found by the sweep', async () => {
  const user = await twoDevices(5);
  await patch(user, 'max');
  world.clock.advance(61_000);
  world.sent.length = 0;
  await sweepWorker(world.deps)();
  expect(world.sent).toContainEqual({ queue: 'user', body: { user_id: user } });
  await runWriter(world.deps, user);
  expect(await steps(user)).toEqual(expectedMax(5));
});

test('a reader during a rebuild sees each day either as it was or as it will be', async () => {
  const user = await twoDevices(100);
  await patchConfiguration(world.deps, world.caller, user, {
    metrics: { steps: { method: 'max' }, distance: { method: 'max' } },
  });
  const building = runWriter(world.deps, user);
  let done = false;
  building.finally(() => {
    done = true;
  });
  while (!done) {
    for await (const { packed } of dayRows(world.deps.store).iterateCanonical(user, '0000', '9999')) {
      const day = decodeCanonicalDay(packed);
      expect([1, 3]).toContain(day.get('distance')?.value);
      expect((day.get('steps')?.value ?? 0) >= 300).toBe(day.get('distance')?.value === 3);
    }
  }
  await building;
  expect(await steps(user)).toEqual(expectedMax(100));
});

test('an upload during a rebuild and settings during an upload both end with the newest data and settings', async () => {
  const user = await twoDevices(30);
  await patch(user, 'max');
  let hasUploaded = false;
  const meeting: Table = {
    ...world.localTable.table,
    async write(write) {
      if (!hasUploaded && write.kind === 'put' && write.item.sk.startsWith('D#')) {
        hasUploaded = true;
        await world.upload(user, 'samsung_health', {
          time_zone: 'UTC',
          device: { name: 'phone', model: 'phone', type: 'phone' },
          daily: dates(30).map((date) => ({ date, metric: 'steps', value: 5000, unit: 'count' })),
        });
        await patch(user, 'sum');
      }
      return world.localTable.table.write(write);
    },
  };
  await runWriter(world.withTable(meeting), user);
  expect(await steps(user)).toEqual(dates(30).map((_date, i) => 5100 + i));
});

test('of two devices with the same rank the one connected last wins, and no sync changes that', async () => {
  const user = await world.user();
  const upload = (provider: 'apple_health' | 'samsung_health', date: string, value: number) => {
    world.clock.advance(1000);
    const device = { name: 'phone', model: 'phone', type: 'phone' };
    return world.upload(user, provider, {
      time_zone: 'UTC',
      device,
      daily: [{ date, metric: 'steps', value, unit: 'count' }],
    });
  };
  const settle = async () => {
    await runWriter(world.deps, user);
    await runWriter(world.deps, user);
  };
  await upload('apple_health', '2016-01-01', 1);
  await upload('samsung_health', '2016-01-01', 2);
  await settle();
  expect(await steps(user)).toEqual([2]);
  await upload('apple_health', '2016-01-02', 3);
  await settle();
  expect(await steps(user)).toEqual([2, 3]);
});
