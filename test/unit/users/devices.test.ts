import { beforeEach, expect, test } from 'vitest';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { decodeCanonicalDay } from '../../../shared/measurements/codec/canonical-day.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { deviceGuard } from '../../../shared/mobile/sdk-sessions.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { findOrCreateDevice, presentDevices } from '../../../shared/users/devices.ts';
import { readUserContext, type UserContext } from '../../../shared/users/user-context.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { createRacedUser, type RacedUser } from '../../harness/raced-user.ts';
import {
  phone,
  stepsUpload,
  uploadSerially,
  uploadWithoutProcessing,
  watch,
} from '../../harness/races/scenarios/scenario-fixtures.ts';
import { runWriter } from '../../harness/run-writer.ts';
import { deviceRow } from '../../harness/stored-data.ts';

const walk = (value: number) => stepsUpload('2026-03-10T10:00:00Z', value);

let user: RacedUser;
beforeEach(async () => {
  user = await createRacedUser(memoryTable(), null);
});

async function loadUserContext(): Promise<UserContext> {
  const found = await readUserContext(user.deps, user.id);
  if (!found) throw new Error('the user does not exist');
  return found;
}
async function readSteps(): Promise<number | undefined> {
  const day = (await dayRows(user.deps.store).readCanonical(user.id, ['2026-03-10'])).get('2026-03-10');
  return day && decodeCanonicalDay(day.packed).get('steps')?.value;
}

test('a device that is linked again after it was disconnected is a new device', async () => {
  await uploadSerially(user, [watch, walk(7)]);
  const [first] = (await loadUserContext()).devices;
  await disconnectDevice(user.deps, user.caller, user.id, first?.id ?? '');
  await user.settle();
  expect(await readSteps()).toBeUndefined();
  await uploadSerially(user, [watch, walk(8)]);
  const { devices } = await loadUserContext();
  expect(devices).toMatchObject([{ status: 'active', ordinal: 1 }]);
  expect(devices[0]?.id).not.toBe(first?.id);
  expect(await readSteps()).toBe(8);
});

test.each([
  [4, 0.4],
  [10, 1],
  [12, 1],
])('%i of ten days done are reported as %d', (doneDays, done) => {
  const sync = { state: 'backfilling', from: '2026-03-01', to: '2026-03-10', doneDays } as const;
  expect(presentDevices([deviceRow({ sync })])).toMatchObject([{ sync: { done } }]);
});

test('two sources that use the same device name have separate devices', async () => {
  const description = { connection: 'sdk', deviceType: 'phone', model: 'Pixel 9', name: null } as const;
  const linkDevice = (provider: 'health_connect' | 'samsung_health') =>
    findOrCreateDevice(user.deps, user.id, { ...description, provider });
  const [first, second] = [await linkDevice('health_connect'), await linkDevice('samsung_health')];
  expect(second?.device).toMatchObject({ provider: 'samsung_health', ordinal: (first?.device.ordinal ?? 0) + 1 });
  expect((await linkDevice('health_connect'))?.device.id).toBe(first?.device.id);
});

test('an ended session creates no device', async () => {
  const description = { provider: 'health_connect', connection: 'sdk', deviceType: 'phone', model: 'Pixel 9' } as const;
  const before = (await loadUserContext()).devices.length;
  const ended = deviceGuard(user.deps, { userId: user.id, sessionId: 'sds_ended', sharingEpoch: 0 });
  expect(await findOrCreateDevice(user.deps, user.id, { ...description, name: null }, ended)).toBeUndefined();
  expect((await loadUserContext()).devices).toHaveLength(before);
  const created = await findOrCreateDevice(user.deps, user.id, { ...description, name: null });
  expect(created?.device).toMatchObject({ status: 'active' });
});

test.each(['x'.repeat(3_000), 'dev_#', ''])('an invalid device id is not looked up', async (name) => {
  const table: Table = {
    ...user.deps.store.table,
    batchGet: () => Promise.reject(new Error('the device was looked up')),
  };
  const deps = { ...user.deps, store: { ...user.deps.store, table } };
  await expect(disconnectDevice(deps, user.caller, user.id, name)).rejects.toMatchObject({ code: 'not_found' });
});

test('a device that changes its type during a pass is eventually ranked by the new type', async () => {
  await uploadSerially(user, [phone, walk(7)]);
  await uploadWithoutProcessing(user, [watch, walk(20)]);
  let isRetyped = false;
  const racingTable: Table = {
    ...user.table,
    async write(each) {
      if (!isRetyped && each.kind === 'put' && each.item.sk.startsWith('D#')) {
        isRetyped = true;
        await user.upload({ ...phone, type: 'wrist' }, stepsUpload('2026-03-11T10:00:00Z', 1));
        await user.upload({ ...watch, type: 'app' }, stepsUpload('2026-03-11T10:00:00Z', 1));
      }
      return user.table.write(each);
    },
  };
  await runWriter(user.withTable(racingTable, false), user.id);
  expect(isRetyped).toBe(true);
  await user.settle();
  expect(await readSteps()).toBe(7);
});

test('an upload from a device that is linked during a run is processed', async () => {
  await uploadWithoutProcessing(user, [watch, walk(7)]);
  let isLinked = false;
  const racingTable: Table = {
    ...user.table,
    async write(each) {
      if (!isLinked && each.kind === 'put' && each.item.sk.startsWith('N#')) {
        isLinked = true;
        await user.upload(phone, stepsUpload('2026-03-10T20:00:00Z', 30));
      }
      return user.table.write(each);
    },
  };
  await runWriter(user.withTable(racingTable, false), user.id);
  expect(await readSteps()).toBe(37);
});

test('a removed device can be disconnected again', async () => {
  await uploadSerially(user, [watch, walk(7)]);
  const [device] = (await loadUserContext()).devices;
  if (!device) throw new Error('the device does not exist');
  await disconnectDevice(user.deps, user.caller, user.id, device.id);
  await user.settle();
  expect((await loadUserContext()).devices).toEqual([]);
  await disconnectDevice(user.deps, user.caller, user.id, device.id);
  expect(await pendingCommands(user.table, user.id)).toEqual([]);
});
