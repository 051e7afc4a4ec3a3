// Rows with pending work are in the pending index. A refused condition is reported as such, and any
// other error is thrown.
import { beforeEach, describe, expect, test } from 'vitest';
import { writeConditionally } from '../../../shared/platform/conditional-write.ts';
import { EngineUnavailable, type Table, TransactionCanceled } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { pendingIndexKeys } from '../../../shared/system/pending-kinds.ts';
import { commitConditionally, repository } from '../../../shared/system/store.ts';
import { commandRows } from '../../../shared/users/command-rows.ts';
import { deviceRows } from '../../../shared/users/device-rows.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { storeOn } from '../../harness/store-on.ts';
import { deviceRow } from '../../harness/stored-data.ts';

const user = 'usr_a';
const device = deviceRow();

let table: Table;
let devices: ReturnType<typeof deviceRows>;
let commands: ReturnType<typeof commandRows>;
beforeEach(async () => {
  table = memoryTable();
  devices = deviceRows(storeOn(table));
  commands = commandRows(storeOn(table));
  await table.transact([devices.buildInsert(user, device)]);
});

describe('a device', () => {
  test('is connected once', async () => {
    await expect(table.transact([devices.buildInsert(user, device)])).rejects.toThrow(TransactionCanceled);
  });

  test('that is being removed has its removal pending', async () => {
    await table.transact([devices.buildRemove(user, device), commands.buildRemoveDevice(user, 'cmd_1', device, 5_000)]);
    expect(await table.get(keys.removeDeviceCommand(user, device.id))).toMatchObject(
      pendingIndexKeys('user', user, 5_000),
    );
    expect(await devices.isRemoved(user, device.id)).toBe(true);
  });

  test('that was removed is still known as removed', async () => {
    await table.transact([devices.buildRemove(user, device)]);
    await table.transact([devices.buildTombstone(user, device.id)]);
    expect(await devices.isRemoved(user, device.id)).toBe(true);
    expect(await devices.isRemoved(user, 'dev_never')).toBe(false);
  });

  test('that changed since it was read is not closed', async () => {
    await table.transact([devices.buildClose(user, device)]);
    await expect(table.transact([devices.buildClose(user, device)])).rejects.toThrow(TransactionCanceled);
  });
});

test('an unavailable engine is not reported as a refused condition', async () => {
  const away = () => Promise.reject(new EngineUnavailable('the table is unavailable'));
  const store = storeOn({ ...table, write: away, transact: away });
  await expect(commitConditionally(store, [])).rejects.toThrow(EngineUnavailable);
  const write = { kind: 'delete', key: keys.user(user) } as const;
  await expect(writeConditionally(store.table, write)).rejects.toThrow(EngineUnavailable);
});

test('a repository is created once for each store', () => {
  let opened = 0;
  const rows = repository(() => ({ opened: ++opened }));
  const [one, other] = [storeOn(table), storeOn(table)];
  expect([rows(one), rows(one), rows(other)].map((each) => each.opened)).toEqual([1, 1, 2]);
});
