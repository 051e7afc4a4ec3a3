// Rows that owe work stand in the index of what is due; a refusal is one, and anything else is thrown.
import { beforeEach, describe, expect, test } from 'vitest';
import { conditionalWrite } from '../../../shared/platform/conditional-write.ts';
import { EngineUnavailable, type Table, TransactionRefused } from '../../../shared/platform/ports.ts';
import { due } from '../../../shared/system/due.ts';
import { keys } from '../../../shared/system/keys.ts';
import { conditionalCommit, repository } from '../../../shared/system/store.ts';
import { commandRows } from '../../../shared/users/command-rows.ts';
import { deviceRows } from '../../../shared/users/device-rows.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { deviceRow } from '../../harness/recorded.ts';
import { storeOn } from '../../harness/store-on.ts';

const user = 'usr_a';
const device = deviceRow();

let table: Table;
let devices: ReturnType<typeof deviceRows>;
let commands: ReturnType<typeof commandRows>;
beforeEach(async () => {
  table = memoryTable();
  devices = deviceRows(storeOn(table));
  commands = commandRows(storeOn(table));
  await table.transact([devices.inserting(user, device)]);
});

describe('a device', () => {
  test('is connected once', async () => {
    await expect(table.transact([devices.inserting(user, device)])).rejects.toThrow(TransactionRefused);
  });

  test('that is being removed is owed its end', async () => {
    await table.transact([devices.removing(user, device), commands.removingDevice(user, 'ask_1', device, 5_000)]);
    expect(await table.get(keys.leavingDevice(user, device.id))).toMatchObject(due('person', user, 5_000));
    expect(await devices.isGone(user, device.id)).toBe(true);
  });

  test('that was removed is still known to be gone', async () => {
    await table.transact([devices.removing(user, device)]);
    await table.transact([devices.removed(user, device.id)]);
    expect(await devices.isGone(user, device.id)).toBe(true);
    expect(await devices.isGone(user, 'dev_never')).toBe(false);
  });

  test('that changed since it was read is not closed', async () => {
    await table.transact([devices.closing(user, device)]);
    await expect(table.transact([devices.closing(user, device)])).rejects.toThrow(TransactionRefused);
  });
});

test('an engine that is away refuses nothing', async () => {
  const away = () => Promise.reject(new EngineUnavailable('the table is away'));
  const store = storeOn({ ...table, write: away, transact: away });
  await expect(conditionalCommit(store, [])).rejects.toThrow(EngineUnavailable);
  const write = { kind: 'delete', key: keys.user(user) } as const;
  await expect(conditionalWrite(store.table, write)).rejects.toThrow(EngineUnavailable);
});

test('a repository is opened once for each store', () => {
  let opened = 0;
  const rows = repository(() => ({ opened: ++opened }));
  const [one, other] = [storeOn(table), storeOn(table)];
  expect([rows(one), rows(one), rows(other)].map((each) => each.opened)).toEqual([1, 1, 2]);
});
