import { expect, test } from 'vitest';
import { sweep } from '../../../../shared/domain/work/sweep.ts';
import { due } from '../../../../shared/store/due.ts';
import { memoryDeps, memoryStartMs } from '../../../harness/memory-deps.ts';
import { someOwner } from '../../../harness/owed.ts';

test('of an owner that several rows speak for, the oldest says how long the work has waited', async () => {
  const world = memoryDeps();
  const user = someOwner('person');
  const minute = 60_000;
  const rows = [30, 20, 10].map((minutes) => ({
    pk: `OWED#${user}`,
    sk: `${minutes}`,
    ...due('person', user, memoryStartMs - minutes * minute),
  }));
  await world.table.batchWrite(rows.map((item) => ({ kind: 'put', item })));
  await sweep(world.deps);
  expect(world.log.map(({ fields }) => fields)).toEqual([
    { kind: 'person', owed: 1, and_more: false, oldest_seconds: 30 * 60 },
  ]);
});
