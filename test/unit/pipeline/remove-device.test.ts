// A disconnected device leaves nothing behind: no samples, nights, workouts, traces or day values,
// and no chunks of large items.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { metricRow } from '../../../shared/catalog/metrics.ts';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { decodeNormalizedDay } from '../../../shared/measurements/codec/normalized-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { sessionRows } from '../../../shared/measurements/rows/session-rows.ts';
import { replaceLargeItem } from '../../../shared/platform/large-items.ts';
import type { Item } from '../../../shared/platform/ports.ts';
import { workerWriteDeadlineMs } from '../../../shared/platform/write-deadline.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { keys } from '../../../shared/system/keys.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { readPartition } from '../../harness/raced-user.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { addWorkouts, workoutRow } from '../../harness/stored-data.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

const date = '2026-03-10';
const at = (hour: number) => new Date(Date.parse(`${date}T00:00:00Z`) + hour * 3_600_000).toISOString();
const watch = { name: 'Watch', model: 'W1', type: 'wrist' };
const pocket = { name: 'Phone', model: 'P1', type: 'phone' };

const records = (value: number) => ({
  samples: [{ metric: 'steps', start: at(9), end: at(10), value, unit: 'count' }],
  daily: [{ date, metric: 'weight', value: 70 + value / 1000, unit: 'kg' }],
  sleep: [{ start: at(-2), end: at(6), asleep_minutes: 400 + value / 100 }],
  workouts: [
    {
      type: 'running',
      start: at(12),
      end: at(13),
      heart_rate: [{ timestamp: at(12.5), bpm: 140 }],
    },
  ],
});

async function twoDevices(): Promise<{ user: string; watchId: string; pocketId: string }> {
  const user = await world.user();
  for (const [device, value] of [
    [watch, 1000],
    [pocket, 500],
  ] as const) {
    world.clock.advance(1_000);
    await world.upload(user, 'apple_health', { time_zone: 'UTC', device, ...records(value) });
    await runWriter(world.deps, user);
  }
  const devices = (await readUserContext(world.deps, user))?.devices ?? [];
  const idOf = (model: string) => devices.find((device) => device.model === model)?.id ?? '';
  return { user, watchId: idOf('W1'), pocketId: idOf('P1') };
}

async function disconnectAndProcess(user: string, device: string): Promise<void> {
  await disconnectDevice(world.deps, world.caller, user, device);
  await runWriter(world.deps, user);
  world.clock.advance(workerWriteDeadlineMs);
  await runWriter(world.deps, user);
}

const ordinalOf = async (user: string, id: string): Promise<number> => {
  const device = (await readUserContext(world.deps, user))?.devices.find((each) => each.id === id);
  if (!device) throw new Error('the device does not exist');
  return device.ordinal;
};

/**
 * Counts the rows that mention a device, by kind. A phone with a sample row has one more row that
 * says so.
 */
async function countMentions(user: string, ordinal: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const count = (kind: string, times: number) => {
    if (times > 0) counts[kind] = (counts[kind] ?? 0) + times;
  };
  const sessions = sessionRows(world.deps.store);
  for (const row of await readPartition(world.localTable.table, user))
    if (/^(?:T#\d+#[\d-]+|A)#(\d+)/.exec(String(row['sk']))?.[1] === String(ordinal)) count('samples', 1);
  for await (const day of sessions.sleep.iterateAll(user))
    count('nights', day.sessions.filter(({ device }) => device === ordinal).length);
  for await (const day of sessions.workouts.iterateAll(user))
    count('workouts', day.sessions.filter(({ device }) => device === ordinal).length);
  for await (const day of dayRows(world.deps.store).iterateNormalized(user, '0000-01-01', '9999-12-31'))
    count('values', decodeNormalizedDay(day.packed).get(ordinal)?.size ?? 0);
  return counts;
}

const rowsOf = async (user: string, prefix: string): Promise<Item[]> =>
  (await readPartition(world.localTable.table, user)).filter((row) => String(row['sk']).startsWith(prefix));
const canonical = async (user: string) => {
  const day = (await dayRows(world.deps.store).readCanonical(user, [date])).get(date);
  return day && Object.fromEntries([...decodeCanonicalDay(day.packed)].map(([id, { value }]) => [id, value]));
};

test('the data of a removed device is gone everywhere, and that of the other device is complete', async () => {
  const { user, watchId, pocketId } = await twoDevices();
  const [ofWatch, ofPocket] = [await ordinalOf(user, watchId), await ordinalOf(user, pocketId)];
  expect(await countMentions(user, ofWatch)).toEqual({ samples: 2, nights: 1, workouts: 1, values: 4 });
  expect(await rowsOf(user, 'H#')).toHaveLength(2);
  const before = await countMentions(user, ofPocket);
  await disconnectAndProcess(user, watchId);
  expect(await countMentions(user, ofWatch)).toEqual({});
  expect(await countMentions(user, ofPocket)).toEqual(before);
  expect(await rowsOf(user, 'H#')).toHaveLength(1);
  expect(await canonical(user)).toEqual({ steps: 500, weight: 70.5, asleep: 405, longest_sleep: 405 });
});

test('samples of a day that is still open are removed, too, and those of another phone stay', async () => {
  const { user, watchId, pocketId } = await twoDevices();
  const [ofWatch, ofPocket] = [await ordinalOf(user, watchId), await ordinalOf(user, pocketId)];
  // At noon, far from the end of the UTC day.
  world.clock.advance(36 * 3_600_000 - (world.clock.now() % (24 * 3_600_000)));
  const start = new Date(world.clock.now()).toISOString();
  const samples = [{ metric: 'heart_rate', start, value: 61, unit: 'bpm' }];
  await world.upload(user, 'apple_health', { time_zone: 'UTC', device: watch, samples });
  await world.upload(user, 'apple_health', { time_zone: 'UTC', device: pocket, samples });
  await runWriter(world.deps, user);
  expect(await rowsOf(user, `A#${ofWatch}#`)).toHaveLength(2);
  expect(await rowsOf(user, `A#${ofPocket}#`)).toHaveLength(2);
  await disconnectAndProcess(user, watchId);
  expect(await countMentions(user, ofWatch)).toEqual({});
  expect(await rowsOf(user, `A#${ofPocket}#`)).toHaveLength(2);
});

test('a removed device leaves the user head, which every read pays for, and only its id is remembered', async () => {
  const { user, watchId, pocketId } = await twoDevices();
  await disconnectAndProcess(user, watchId);
  expect((await rowsOf(user, '@DEVICE#')).map(({ sk }) => sk)).toEqual([`@DEVICE#${pocketId}`]);
  const gone = await rowsOf(user, 'GONE#');
  expect(gone.map((row) => Object.keys(row).sort())).toEqual([['pk', 'sk']]);
  await disconnectDevice(world.deps, world.caller, user, watchId);
  const unknown = makeId('device', world.clock.now(), randomBytes(10));
  await expect(disconnectDevice(world.deps, world.caller, user, unknown)).rejects.toMatchObject({ code: 'not_found' });
});

test('an item that was too large for one row is removed with all its chunks', async () => {
  const { user, watchId } = await twoDevices();
  const own = await ordinalOf(user, watchId);
  const large = { v: randomBytes(800_000), r: 1 };
  const anew = { condition: 'attribute_not_exists(#pk)' };
  await replaceLargeItem(
    world.localTable.table,
    { ...keys.samples(user, metricRow('heart_rate').index, date, own), ...large },
    anew,
  );
  const run = workoutRow(own, at(15), 60, { trace: 'long' });
  await replaceLargeItem(world.localTable.table, { ...keys.trace(user, run.id), ...large }, anew);
  const named = Array.from({ length: 300 }, () =>
    workoutRow(own, at(18), 1, { name: randomBytes(1_500).toString('base64') }),
  );
  await addWorkouts(world.deps, user, date, run, ...named);
  const parts = async () => (await rowsOf(user, '')).filter(({ sk }) => String(sk).includes('~'));
  const kinds = new Set((await parts()).map(({ sk }) => String(sk).slice(0, 2)));
  expect([...kinds].sort()).toEqual(['H#', 'T#', 'W#']);
  await disconnectAndProcess(user, watchId);
  expect(await parts()).toEqual([]);
  expect(await countMentions(user, own)).toEqual({});
  expect(await rowsOf(user, 'H#')).toHaveLength(1);
});

test('the raw data of a removed device is removed, too; that of other devices stays', async () => {
  const { user, watchId, pocketId } = await twoDevices();
  await world.upload(user, 'apple_health', { time_zone: 'UTC', device: watch, ...records(7) });
  await runWriter(world.deps, user);
  const raw = async () =>
    (await readPartition(world.localTable.table, user)).filter(({ sk }) => String(sk).startsWith('R#'));
  const countUploads = async (device: string) => (await raw()).filter((row) => row['device'] === device).length;
  expect([await countUploads(watchId), await countUploads(pocketId)]).toEqual([2, 1]);
  await disconnectAndProcess(user, watchId);
  expect([await countUploads(watchId), await countUploads(pocketId)]).toEqual([0, 1]);
  expect(await raw()).toHaveLength(1);
});
