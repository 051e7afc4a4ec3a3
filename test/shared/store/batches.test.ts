import { beforeEach, expect, test } from 'vitest';
import type { Table } from '../../../shared/engine/ports.ts';
import { type AcceptedUpload, type BatchRow, batchRows } from '../../../shared/store/batches.ts';
import { keys } from '../../../shared/store/keys.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { storeOn } from '../../harness/store-on.ts';

const upload: AcceptedUpload = {
  user: 'usr_a',
  batch: 'bat_a',
  device: 'dev_a',
  receivedMs: 1_000,
  source: 'sdk',
  format: 1,
  timeZone: null,
  scopes: [],
  records: 1,
  from: '2026-03-01',
  to: '2026-03-01',
  raw: new Uint8Array(5_000_000).map((_none, at) => (at * 31) >> 8),
};

let table: Table;
let batches: ReturnType<typeof batchRows>;
let row: BatchRow;
beforeEach(async () => {
  const memory = memoryTable();
  // An engine answers in any order.
  table = { ...memory, batchGet: async (wanted) => (await memory.batchGet(wanted)).reverse() };
  batches = batchRows(storeOn(table));
  await batches.keepRaw(upload);
  await table.transact([batches.owing(upload)]);
  const [waiting] = await batches.waiting(upload.user, 9);
  if (!waiting) throw new Error('nothing waits');
  row = waiting;
});

test('an upload of many pieces is read as it was sent', async () => {
  expect(row.pieces).toBeGreaterThan(10);
  expect(Buffer.compare(await batches.raw(upload.user, row), upload.raw)).toBe(0);
});

test('an upload that lacks a piece is not taken for a shorter one', async () => {
  await table.write({ kind: 'delete', key: keys.raw(upload.user, upload.batch, row.pieces - 1) });
  const read = batches.raw(upload.user, row).then(({ length }) => length);
  await expect(read).rejects.toThrow('missing pieces');
});
