// What is written about an upload holds only while it is there: nobody makes a row of it that says nothing else.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Table } from '../../../shared/engine/ports.ts';
import { type AcceptedUpload, type BatchRow, batchRows, type Changed } from '../../../shared/store/batches.ts';
import { keys } from '../../../shared/store/keys.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { wholePartition } from '../../harness/raced-user.ts';
import { storeOn } from '../../harness/store-on.ts';

const upload = (batch: string, device = 'dev_a'): AcceptedUpload => ({
  user: 'usr_a',
  batch,
  device,
  receivedMs: 1_000,
  source: 'sdk',
  format: 1,
  timeZone: null,
  scopes: [],
  records: 1,
  from: '2026-03-01',
  to: '2026-03-01',
  raw: new Uint8Array(400_000),
});
const changed: Changed = { metrics: ['steps'], sleep: false, workouts: false, from: null, to: null, runs: [] };

let table: Table;
let batches: ReturnType<typeof batchRows>;
beforeEach(() => {
  table = memoryTable();
  batches = batchRows(storeOn(table));
});

async function taken(given: AcceptedUpload): Promise<BatchRow> {
  await batches.keepRaw(given);
  await table.transact([batches.owing(given)]);
  const row = (await batches.waiting(given.user, 99)).find(({ batch }) => batch === given.batch);
  if (!row) throw new Error('nothing waits');
  return row;
}
async function aside(given: AcceptedUpload, atMs: number) {
  await table.transact(batches.deadLettering(given.user, await taken(given), atMs, 'it cannot be read'));
  const row = (await batches.deadLetters()).find(({ batch }) => batch === given.batch);
  if (!row) throw new Error('it is not set aside');
  return row;
}
const rows = async (): Promise<string[]> => (await wholePartition(table, 'usr_a')).map(({ sk }) => String(sk));

describe('raw data that has expired', () => {
  test.each([
    ['for good', (row: BatchRow) => batches.keepRawForGood('usr_a', row)],
    ['for a while', (row: BatchRow) => batches.keepRawForAWhile('usr_a', row, 2_000)],
  ])('is not made again, without its bytes, by whoever wants it kept %s', async (_how, keep) => {
    const row = await taken(upload('bat_a'));
    await table.write({ kind: 'delete', key: keys.raw('usr_a', 'bat_a', 0) });
    await keep(row);
    expect((await rows()).filter((sk) => sk.startsWith('R#'))).toEqual([keys.raw('usr_a', 'bat_a', 1).sk]);
  });
});

describe('an upload that another worker has finished', () => {
  let row: BatchRow;
  beforeEach(async () => {
    row = await taken(upload('bat_a'));
    await table.transact(batches.finishing('usr_a', [row]));
  });
  const owed = async () => (await rows()).filter((sk) => !sk.startsWith('R#'));

  test('has not failed', async () => {
    expect(await batches.failed('usr_a', row)).toBeUndefined();
    expect(await owed()).toEqual([]);
  });
  test('is not noted anything of', async () => {
    expect(await batches.noteChanges('usr_a', row, changed)).toBeUndefined();
    expect(await owed()).toEqual([]);
  });
  test('is not set aside', async () => {
    await expect(table.transact(batches.deadLettering('usr_a', row, 2_000, ''))).rejects.toThrow();
    expect(await owed()).toEqual([]);
  });
});

test('what another worker has noted meanwhile is not overwritten, nor finished unseen', async () => {
  const row = await taken(upload('bat_a'));
  expect(await batches.noteChanges('usr_a', row, changed)).toMatchObject({ noted: 1 });
  expect(await batches.noteChanges('usr_a', row, { ...changed, metrics: [] })).toBeUndefined();
  await expect(table.transact(batches.finishing('usr_a', [row]))).rejects.toThrow();
  expect(await batches.waiting('usr_a', 9)).toMatchObject([{ noted: 1, changed }]);
});

describe('uploads that are set aside', () => {
  test('are told in the order in which they were', async () => {
    // An engine answers a batch in any order.
    const memory = table;
    batches = batchRows(storeOn({ ...memory, batchGet: async (wanted) => (await memory.batchGet(wanted)).reverse() }));
    for (const [index, name] of ['bat_c', 'bat_a', 'bat_b'].entries()) await aside(upload(name), 5_000 + index);
    expect((await batches.deadLetters()).map(({ batch }) => batch)).toEqual(['bat_c', 'bat_a', 'bat_b']);
  });
  test('are owed again once, however many ask for it', async () => {
    const row = await aside(upload('bat_a'), 5_000);
    await table.transact(batches.owingAgain(row, 6_000));
    await expect(table.transact(batches.owingAgain(row, 7_000))).rejects.toThrow();
    expect(await batches.waiting('usr_a', 9)).toHaveLength(1);
  });
  test('go with their own device only', async () => {
    await aside(upload('bat_a', 'dev_a'), 5_000);
    await aside(upload('bat_b', 'dev_b'), 5_000);
    await batches.removeDeadLetters('usr_a', 'dev_a');
    expect((await batches.deadLetters()).map(({ batch }) => batch)).toEqual(['bat_b']);
    expect((await rows()).filter((sk) => sk.startsWith('R#'))).toEqual(
      [0, 1].map((n) => keys.raw('usr_a', 'bat_b', n).sk),
    );
  });
});
