import { expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import { pendingIndexKeys } from '../../../shared/system/pending-kinds.ts';
import { memoryDeps, memoryStartMs } from '../../harness/memory-deps.ts';
import { pendingRow, someOwner } from '../../harness/pending-work.ts';

test('the oldest of several rows of one owner determines how long the work has waited', async () => {
  const world = memoryDeps();
  const user = someOwner('user');
  const minute = 60_000;
  const rows = [30, 20, 10].map((minutes) => ({
    pk: `OWED#${user}`,
    sk: `${minutes}`,
    ...pendingIndexKeys('user', user, memoryStartMs - minutes * minute),
  }));
  await world.table.batchWrite(rows.map((item) => ({ kind: 'put', item })));
  await sweepWorker(world.deps)();
  expect(world.log.map(({ fields }) => fields)).toEqual([
    { kind: 'user', pending: 1, is_partial: false, oldest_seconds: 30 * 60 },
  ]);
});

test('devices that the poll should have woken a quarter of an hour ago are logged with their count, and left to the poll', async () => {
  const world = memoryDeps();
  world.clock.freeze();
  await world.table.batchWrite([1, 2].map((at) => pendingRow('sync', someOwner('sync'), memoryStartMs + at)));
  world.clock.advance(15 * 60_000);
  await sweepWorker(world.deps)();
  expect(world.log).toEqual([]);
  world.clock.advance(3);
  await sweepWorker(world.deps)();
  expect(world.log.map(({ message, fields }) => ({ message, ...fields }))).toEqual([
    { message: 'overdue_work_found', kind: 'sync', pending: 2, is_partial: false, oldest_seconds: 900 },
  ]);
  expect(world.calls).toEqual([]);
});
