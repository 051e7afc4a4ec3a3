import { beforeEach, expect, test } from 'vitest';
import type { Table } from '../../../shared/engine/ports.ts';
import { nothingAnnounced } from '../../../shared/store/announced.ts';
import { due } from '../../../shared/store/due.ts';
import { keys } from '../../../shared/store/keys.ts';
import { type Rezoning, rezoningRows } from '../../../shared/store/rezonings.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { storeOn } from '../../harness/store-on.ts';

const user = 'usr_a';
const progress = { work: 3, through: '2026-03-10', from: null, to: null };

let table: Table;
let rows: ReturnType<typeof rezoningRows>;
let first: Rezoning;
beforeEach(async () => {
  table = memoryTable();
  rows = rezoningRows(storeOn(table));
  first = await asked('first');
});

async function asked(name: string): Promise<Rezoning> {
  await table.transact([rows.asking(user, name, 1)]);
  return standing();
}
async function standing(): Promise<Rezoning> {
  const item = await table.get(keys.rezoning(user));
  const found = item && rows.fromWaiting(user, [item]);
  if (!found) throw new Error('nothing is asked for');
  return found;
}

test('what is asked for again begins anew, and is done by nobody who was asked before', async () => {
  expect(await rows.progress(user, first, progress)).toBe(true);
  expect(await standing()).toEqual({
    asked: 'first',
    againMs: null,
    progress,
    announced: nothingAnnounced,
  });
  const announced = { metrics: ['steps'], from: '2026-03-01', to: '2026-03-02' };
  expect(await rows.note(user, first, announced)).toBe(true);
  const second = await asked('second');
  // What the first has changed is still to be announced.
  expect(second).toEqual({ asked: 'second', againMs: null, progress: null, announced });
  expect(await rows.note(user, first, nothingAnnounced)).toBe(false);
  expect(await rows.progress(user, first, progress)).toBe(false);
  await expect(table.transact([rows.followed(user, first, 9)])).rejects.toThrow();
  await expect(table.transact([rows.finishing(user, first)])).rejects.toThrow();
  expect(await standing()).toEqual(second);
});

test('a second look is owed, and begins at the first day', async () => {
  await rows.progress(user, first, progress);
  await rows.note(user, first, { metrics: ['steps'], from: '2026-03-01', to: '2026-03-02' });
  await table.transact([rows.followed(user, first, 9)]);
  expect(await standing()).toEqual({
    asked: 'first',
    againMs: 9,
    progress: null,
    announced: nothingAnnounced,
  });
  expect(await table.get(keys.rezoning(user))).toMatchObject(due('ingest', user, 9));
});
