import { beforeEach, expect, test } from 'vitest';
import type { Table } from '../../../shared/engine/ports.ts';
import { type AcceptedUpload, batchRows } from '../../../shared/store/batches.ts';
import { deviceRows } from '../../../shared/store/devices.ts';
import { rezoningRows } from '../../../shared/store/rezonings.ts';
import type { Store } from '../../../shared/store/store.ts';
import { waitingWork } from '../../../shared/store/waiting-work.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { deviceRow } from '../../harness/recorded.ts';
import { storeOn } from '../../harness/store-on.ts';

const user = 'usr_a';
let queries: number;
let table: Table;
let store: Store;
beforeEach(() => {
  const memory = memoryTable();
  queries = 0;
  table = {
    ...memory,
    query: (query) => {
      queries++;
      return memory.query(query);
    },
  };
  store = storeOn(table);
});

const uploads = (count: number) =>
  Array.from(
    { length: count },
    (_none, at): AcceptedUpload => ({
      user,
      batch: `bat_${at}`,
      device: 'dev_1',
      receivedMs: 1_000 + at,
      source: 'sdk',
      format: 1,
      timeZone: null,
      scopes: [],
      records: 1,
      from: '',
      to: '',
      raw: new Uint8Array(1),
    }),
  );
async function leave(count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const device = deviceRow({ id: `dev_${String(at).padStart(3, '0')}`, ordinal: at });
    await table.transact([deviceRows(store).inserting(user, device)]);
    await table.transact(deviceRows(store).removing(user, device, 5));
  }
}

test('everything that waits is read in one Query: devices that leave, a move, and the oldest uploads', async () => {
  await leave(2);
  await table.transact([rezoningRows(store).asking(user, 'a', 7), ...uploads(3).map(batchRows(store).owing)]);
  const { leaving, rezoning, batches } = await waitingWork(store).of(user, 40);
  expect(leaving).toMatchObject([
    { id: 'dev_000', status: 'removing' },
    { id: 'dev_001', status: 'removing' },
  ]);
  expect(rezoning).toMatchObject({ asked: 'a', againMs: null, progress: null });
  expect(batches.map(({ batch }) => batch)).toEqual(['bat_0', 'bat_1', 'bat_2']);
  expect(queries).toBe(1);
});

test('of many uploads the oldest are read, and no further', async () => {
  await table.transact(uploads(9).map(batchRows(store).owing));
  const { batches } = await waitingWork(store).of(user, 4);
  expect(batches.map(({ batch }) => batch)).toEqual(['bat_0', 'bat_1', 'bat_2', 'bat_3']);
  expect(queries).toBe(1);
});

test.each([1, 4, 5, 50])('%d devices that leave take no upload’s place', async (count) => {
  await leave(count);
  await table.transact(uploads(9).map(batchRows(store).owing));
  const { leaving, batches } = await waitingWork(store).of(user, 4);
  expect(leaving).toHaveLength(count);
  expect(batches.map(({ batch }) => batch)).toEqual(['bat_0', 'bat_1', 'bat_2', 'bat_3']);
});

test('of a user with nothing to do nothing is found', async () => {
  expect(await waitingWork(store).of(user, 40)).toEqual({ leaving: [], rezoning: undefined, batches: [] });
});
