// Writes to a device apply only to the device as it was read.
import { beforeEach, describe, expect, test } from 'vitest';
import { ConditionFailed, type Table, TransactionCanceled, type Write } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { commandRows } from '../../../shared/users/command-rows.ts';
import { deviceRows, hasData } from '../../../shared/users/device-rows.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { storeOn } from '../../harness/store-on.ts';
import { deviceRow } from '../../harness/stored-data.ts';

const user = 'usr_a';
const device = deviceRow({ deviceType: 'wrist' });

let table: Table;
let devices: ReturnType<typeof deviceRows>;
beforeEach(async () => {
  table = memoryTable();
  devices = deviceRows(storeOn(table));
  await table.transact([devices.buildInsert(user, device)]);
});
const make = (...writes: Write[]) => table.transact(writes);
const head = async () => {
  const item = await table.get(keys.device(user, device.id));
  return devices.parseHead(item ? [item] : []);
};
const refused = async (...writes: Write[]) => {
  const before = await head();
  await expect(make(...writes)).rejects.toThrow(TransactionCanceled);
  expect(await head()).toEqual(before);
};

test('a second upload of the same moment is refused, and so is an earlier one', async () => {
  await make(devices.buildReceiveUpload(user, device, 'bat_a', 5_000));
  await refused(devices.buildReceiveUpload(user, device, 'bat_b', 5_000));
  await refused(devices.buildReceiveUpload(user, device, 'bat_b', 4_999));
  await make(devices.buildReceiveUpload(user, device, 'bat_b', 5_001));
  expect(await head()).toMatchObject([{ lastBatch: 'bat_b', receivedMs: 5_001, lastSyncMs: 5_001 }]);
});

test('one of two concurrent changes of the device type is refused', async () => {
  await make(devices.buildChangeType(user, device, 'ring'));
  await refused(devices.buildChangeType(user, device, 'phone'));
});

describe('a removed device', () => {
  beforeEach(() => make(devices.buildRemove(user, device)));

  test.each<[string, () => Write]>([
    ['an upload', () => devices.buildReceiveUpload(user, device, 'bat_a', 6_000)],
    ['sleep stages', () => devices.buildMarkSendsStages(user, device)],
    ['another type', () => devices.buildChangeType(user, device, 'ring')],
    ['another name', () => devices.buildRename(user, device, 'Ring')],
    ['a removal', () => devices.buildRemove(user, device)],
  ])('is not created again by a write of %s', async (_what, write) => {
    await refused(write());
    expect(await table.get(keys.device(user, device.id))).toBeUndefined();
  });

  test('is known as removed while its data is being deleted, and permanently afterwards', async () => {
    const commands = commandRows(storeOn(table));
    expect([await head(), await devices.isRemoved(user, device.id)]).toEqual([[], false]);
    await make(commands.buildRemoveDevice(user, 'cmd_1', device, 5_000));
    expect(await devices.isRemoved(user, device.id)).toBe(true);
    const [command] = await pendingCommands(table, user);
    expect(command).toMatchObject({ kind: 'remove-device', device });
    if (command) await make(commands.buildFinish(user, command), devices.buildTombstone(user, device.id));
    expect([await devices.isRemoved(user, device.id), await devices.isRemoved(user, 'dev_2')]).toEqual([true, false]);
  });
});

test('a refusal is that of the condition', async () => {
  await make(devices.buildRemove(user, device));
  const refusal = await make(devices.buildRemove(user, device)).catch((error: unknown) => error);
  expect(refusal instanceof TransactionCanceled && refusal.failures[0]).toBeInstanceOf(ConditionFailed);
});

describe('a device that was pending when it was read', () => {
  const pending = deviceRow({ id: device.id, status: 'pending', ordinal: -1 });
  const unlessPending: [string, () => Write[]][] = [
    ['connected', () => [devices.buildConnect(user, pending, 3, 6_000)]],
    ['failed', () => [devices.buildFail(user, device.id, 'link_expired')]],
    ['still pending', () => [devices.buildPendingCheck(user, device.id)]],
    ['forgotten', () => [devices.buildForget(user, pending)]],
    ['abandoned', () => devices.buildAbandon(user, pending)],
    ['closed', () => [devices.buildClose(user, pending)]],
  ];

  test.each(unlessPending)('and is active by now is not %s', (_what, writes) => refused(...writes()));

  test.each(unlessPending)('and is removed by now is not %s', async (_what, writes) => {
    await make(devices.buildRemove(user, device), devices.buildTombstone(user, device.id));
    await refused(...writes());
    expect(await table.get(keys.device(user, device.id))).toBeUndefined();
  });
});

test('a device that was replaced is not disconnected, and keeps its data', async () => {
  await make(devices.buildDisconnect(user, device.id, 'replaced'));
  expect(await head()).toMatchObject([{ status: 'replaced', error: 'replaced', sync: null }]);
  expect((await head()).map(hasData)).toEqual([true]);
  await refused(devices.buildReceiveUpload(user, device, 'bat_a', 6_000));
  await make(devices.buildReplay(user, device, 6_000));
  expect(await devices.recordReplayRequest(user, device.id, 7_000, 1_000)).toBe(true);
});

describe('a device whose consent has ended', () => {
  beforeEach(() => make(devices.buildDisconnect(user, device.id, 'consent_ended')));

  test('is reported as disconnected', async () => {
    expect(await head()).toMatchObject([{ status: 'disconnected', error: 'consent_ended', sync: null }]);
  });
  test('accepts no more uploads, and is disconnected only once', async () => {
    await refused(devices.buildReceiveUpload(user, device, 'bat_a', 6_000));
    await refused(devices.buildDisconnect(user, device.id, 'replaced'));
  });
  test('is removed as it was read', async () => {
    const [read] = await head();
    if (!read) throw new Error('there is no device');
    await make(devices.buildRemove(user, read));
    expect(await head()).toEqual([]);
  });
  test('is different from one that was never connected', async () => {
    const pending = deviceRow({ id: 'dev_2', status: 'pending', ordinal: -1 });
    await make(devices.buildInsert(user, pending));
    await make(devices.buildFail(user, 'dev_2', 'access_denied'));
    const item = await table.get(keys.device(user, 'dev_2'));
    expect(devices.parseHead(item ? [item] : [])).toMatchObject([{ status: 'failed', error: 'access_denied' }]);
  });
});
