// Uploads that cannot be processed are listed for all users until they are retried or their device
// is removed.
import { beforeEach, describe, expect, test } from 'vitest';
import { quarantinedUploadRows } from '../../../shared/pipeline/quarantined-upload-rows.ts';
import { type Table, TransactionCanceled } from '../../../shared/platform/ports.ts';
import type { Store } from '../../../shared/system/store.ts';
import { commandRows, type ReplayCommand, type UploadCommand } from '../../../shared/users/command-rows.ts';
import { type MemoryTable, memoryTable } from '../../harness/memory-table.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { storeOn } from '../../harness/store-on.ts';
import { someUpload } from '../users/sample-upload.ts';

let memory: MemoryTable;
let table: Table;
let store: Store;
let quarantineRows: ReturnType<typeof quarantinedUploadRows>;
beforeEach(() => {
  memory = memoryTable();
  // An engine returns a batch in any order.
  table = { ...memory, batchGet: async (wanted) => (await memory.batchGet(wanted)).reverse() };
  store = storeOn(table);
  quarantineRows = quarantinedUploadRows(store);
});

async function appended(user: string, id: string, device = 'dev_a'): Promise<UploadCommand> {
  await table.transact([commandRows(store).buildAppend(user, someUpload({ id, device }))]);
  const found = (await pendingCommands(table, user)).find((each) => each.id === id);
  if (found?.kind !== 'upload') throw new Error('nothing is pending');
  return found;
}
const quarantine = async (user: string, command: UploadCommand | ReplayCommand, atMs: number, account = 'acc_a') =>
  table.transact([
    commandRows(store).buildFinish(user, command),
    quarantineRows.buildQuarantine({ id: user, account, env: 'live' }, command, atMs, 'the body is not JSON'),
  ]);
const names = async () => (await quarantineRows.listAll()).map(({ id }) => id);

test('a quarantined upload keeps its fields and the reason, without what passes recorded on it', async () => {
  const command = await appended('usr_a', 'bat_a');
  const { sk: _sk, failures: _failures, crashes: _crashes, ...upload } = command;
  const recorded = { metrics: [], sleep: false, workouts: false, from: null, to: null, ranges: [] };
  await quarantine('usr_a', { ...command, failures: 3, notBeforeMs: 9, late: true, recordedChange: recorded }, 5_000);
  expect(await quarantineRows.listAll()).toEqual([
    { ...upload, user: 'usr_a', quarantinedMs: 5_000, reason: 'the body is not JSON' },
  ]);
  expect(await pendingCommands(table, 'usr_a')).toEqual([]);
});

test('a quarantined replay knows which uploads are left', async () => {
  const replay = {
    kind: 'replay',
    id: 'bat_r',
    device: 'dev_a',
    receivedMs: 1,
    uploads: ['x', 'y'],
    replayed: 4,
  } as const;
  await table.transact([commandRows(store).buildAppend('usr_a', { ...replay, uploads: [...replay.uploads] })]);
  const [command] = await pendingCommands(table, 'usr_a');
  if (command?.kind !== 'replay') throw new Error('nothing is pending');
  await quarantine('usr_a', command, 5_000);
  expect(await quarantineRows.listAll()).toEqual([
    { ...replay, user: 'usr_a', quarantinedMs: 5_000, reason: 'the body is not JSON' },
  ]);
});

test('a command that is already finished is not quarantined', async () => {
  const command = await appended('usr_a', 'bat_a');
  await table.transact([commandRows(store).buildFinish('usr_a', command)]);
  await expect(quarantine('usr_a', command, 5_000)).rejects.toThrow(TransactionCanceled);
  expect(await quarantineRows.listAll()).toEqual([]);
});

describe('quarantined uploads', () => {
  test('are listed for all users, in the order in which they were quarantined', async () => {
    for (const [index, [user, id]] of [
      ['usr_b', 'bat_c'],
      ['usr_a', 'bat_a'],
      ['usr_b', 'bat_b'],
    ].entries())
      await quarantine(`${user}`, await appended(`${user}`, `${id}`), 5_000 + index);
    expect(await names()).toEqual(['bat_c', 'bat_a', 'bat_b']);
  });
  test('of one environment are listed by their keys, oldest first, and at most as many as wanted', async () => {
    await quarantine('usr_b', await appended('usr_b', 'bat_b'), 6_000);
    await quarantine('usr_a', await appended('usr_a', 'bat_a'), 5_000);
    await quarantine('usr_c', await appended('usr_c', 'bat_c'), 4_000, 'acc_b');
    const list = (account: string, limit: number) => quarantineRows.listByEnvironment(account, 'live', limit);
    const [first, second] = [
      { user: 'usr_a', quarantinedMs: 5_000 },
      { user: 'usr_b', quarantinedMs: 6_000 },
    ];
    expect(await list('acc_a', 10)).toEqual({ uploads: [first, second], isPart: false });
    expect(await list('acc_a', 1)).toEqual({ uploads: [first], isPart: true });
    expect(await list('acc_b', 10)).toMatchObject({ uploads: [{ user: 'usr_c' }] });
    expect(await quarantineRows.listByEnvironment('acc_a', 'sandbox', 10)).toEqual({ uploads: [], isPart: false });
  });
  test('are not due for any worker', async () => {
    await quarantine('usr_a', await appended('usr_a', 'bat_a'), 5_000);
    expect(memory.rows()).toHaveLength(1);
    for (const row of memory.rows()) expect(row).not.toHaveProperty('duePk');
  });
  test('can be released only once', async () => {
    await quarantine('usr_a', await appended('usr_a', 'bat_a'), 5_000);
    const [row] = await quarantineRows.listAll();
    if (!row) throw new Error('nothing is quarantined');
    await table.transact([quarantineRows.buildRelease(row)]);
    await expect(table.transact([quarantineRows.buildRelease(row)])).rejects.toThrow(TransactionCanceled);
    expect(await names()).toEqual([]);
  });
  test('are removed with their own device only', async () => {
    await quarantine('usr_a', await appended('usr_a', 'bat_a', 'dev_a'), 5_000);
    await quarantine('usr_a', await appended('usr_a', 'bat_b', 'dev_b'), 5_000);
    await quarantine('usr_b', await appended('usr_b', 'bat_c', 'dev_a'), 5_000);
    await quarantineRows.removeByDevice('usr_a', 'dev_a');
    expect((await names()).sort()).toEqual(['bat_b', 'bat_c']);
  });
});
