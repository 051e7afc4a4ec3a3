// What is written of a device holds only for the device as it was read.
import { beforeEach, describe, expect, test } from 'vitest';
import { ConditionFailed, type Table, TransactionRefused, type Write } from '../../../shared/engine/ports.ts';
import { deviceRows } from '../../../shared/store/devices.ts';
import { keys } from '../../../shared/store/keys.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { deviceRow } from '../../harness/recorded.ts';
import { storeOn } from '../../harness/store-on.ts';

const user = 'usr_a';
const device = deviceRow({ deviceType: 'wrist' });

let table: Table;
let devices: ReturnType<typeof deviceRows>;
beforeEach(async () => {
  table = memoryTable();
  devices = deviceRows(storeOn(table));
  await table.transact([devices.inserting(user, device)]);
});
const leaving = { ...device, sk: keys.leavingDevice(user, device.id).sk };
const make = (...writes: Write[]) => table.transact(writes);
const head = async () => {
  const item = await table.get(keys.device(user, device.id));
  return devices.fromHead(item ? [item] : []);
};
const refused = async (...writes: Write[]) => {
  const before = await head();
  await expect(make(...writes)).rejects.toThrow(TransactionRefused);
  expect(await head()).toEqual(before);
};

test('a second upload of the same moment is refused, and one of before', async () => {
  await make(devices.receiving(user, device, 'bat_a', 5_000));
  await refused(devices.receiving(user, device, 'bat_b', 5_000));
  await refused(devices.receiving(user, device, 'bat_b', 4_999));
  await make(devices.receiving(user, device, 'bat_b', 5_001));
  expect(await head()).toMatchObject([{ lastBatch: 'bat_b', receivedMs: 5_001, lastSyncMs: 5_001 }]);
});

test('of two that change its type, one is refused', async () => {
  await make(devices.retyping(user, device, 'ring'));
  await refused(devices.retyping(user, device, 'phone'));
});

describe('a device that is being removed', () => {
  beforeEach(() => make(...devices.removing(user, device, 5_000)));

  test('brings nothing', () => refused(devices.receiving(user, device, 'bat_a', 6_000)));
  test('is removed once', () => refused(...devices.removing(user, device, 6_000)));
  test('sends no stages', () => refused(devices.sendingStages(user, device)));
  test('keeps its type', () => refused(devices.retyping(user, device, 'ring')));
  test('is gone for everybody, and out of the head', async () => {
    expect([await head(), await devices.isGone(user, device.id)]).toEqual([[], true]);
    const item = await table.get(keys.leavingDevice(user, device.id));
    expect(devices.fromWaiting(item ? [item] : [])).toEqual([{ ...leaving, status: 'removing' }]);
  });
});

describe('a device that nobody disconnected', () => {
  test('is not taken out', () => refused(devices.takenOut(user, leaving, 6_000)));
  test('does not leave the head', () => refused(...devices.removed(user, leaving)));
});

describe('a device whose data is out', () => {
  beforeEach(async () => {
    await make(...devices.removing(user, device, 5_000));
    await make(...devices.removed(user, leaving));
  });

  test.each<[string, () => Write[]]>([
    ['taken out', () => [devices.takenOut(user, leaving, 6_000)]],
    ['sending stages', () => [devices.sendingStages(user, device)]],
    ['of another type', () => [devices.retyping(user, device, 'ring')]],
    ['removed', () => devices.removing(user, device, 6_000)],
  ])('is not made again as one that is %s', async (_what, writes) => {
    await refused(...writes());
    expect(await table.get(keys.leavingDevice(user, device.id))).toBeUndefined();
    expect(await table.get(keys.device(user, device.id))).toBeUndefined();
  });
});

test('a device that an earlier release removed is in nobody’s head, and gone', async () => {
  await table.write({ kind: 'put', item: { ...keys.device(user, device.id), ...device, status: 'removed' } });
  expect([await head(), await devices.isGone(user, device.id)]).toEqual([[], true]);
});

test('a refusal is the condition’s', async () => {
  await make(...devices.removing(user, device, 5_000));
  const refusal = await make(...devices.removing(user, device, 6_000)).catch((error: unknown) => error);
  expect(refusal instanceof TransactionRefused && refusal.failed[0]).toBeInstanceOf(ConditionFailed);
});

describe('a device that was awaited when it was read', () => {
  const pending = deviceRow({ id: device.id, status: 'pending', ordinal: -1 });
  const unlessPending: [string, () => Write[]][] = [
    ['connected', () => [devices.connecting(user, pending, 3, 6_000)]],
    ['failed', () => [devices.failing(user, device.id, 'link_expired')]],
    ['still awaited', () => [devices.stillAwaited(user, device.id)]],
    ['forgotten', () => [devices.forgetting(user, pending)]],
    ['abandoned', () => devices.abandoning(user, pending)],
    ['closed', () => [devices.closing(user, pending)]],
  ];

  test.each(unlessPending)('and is active by now is not %s', (_what, writes) => refused(...writes()));

  test.each(unlessPending)('and is gone by now is not %s', async (_what, writes) => {
    await make(...devices.removing(user, device, 5_000));
    await make(...devices.removed(user, leaving));
    await refused(...writes());
    expect(await table.get(keys.device(user, device.id))).toBeUndefined();
  });
});

describe('a device whose consent has ended', () => {
  beforeEach(() => make(devices.disconnecting(user, device.id, 'consent_ended')));

  test('is told as such, and stored as the release before could read it', async () => {
    expect(await head()).toMatchObject([{ status: 'disconnected', error: 'consent_ended', sync: null }]);
    const item = await table.get(keys.device(user, device.id));
    expect(['pending', 'active', 'failed', 'removing']).toContain(item?.['status']);
  });
  test('brings nothing more, and has ended once', async () => {
    await refused(devices.receiving(user, device, 'bat_a', 6_000));
    await refused(devices.disconnecting(user, device.id, 'replaced'));
  });
  test('is removed as it was read', async () => {
    const [read] = await head();
    if (!read) throw new Error('there is no device');
    await make(...devices.removing(user, read, 6_000));
    expect(await head()).toEqual([]);
  });
  test('is not one that never was connected', async () => {
    const pending = deviceRow({ id: 'dev_2', status: 'pending', ordinal: -1 });
    await make(devices.inserting(user, pending));
    await make(devices.failing(user, 'dev_2', 'access_denied'));
    const item = await table.get(keys.device(user, 'dev_2'));
    expect(devices.fromHead(item ? [item] : [])).toMatchObject([{ status: 'failed', error: 'access_denied' }]);
  });
});
