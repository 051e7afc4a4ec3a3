import { expect, test } from 'vitest';
import { deadLetter } from '../../../../shared/domain/person/attempts.ts';
import { batchRows } from '../../../../shared/store/batches.ts';
import { memoryTable } from '../../../harness/memory-table.ts';
import { raceUser, wholePartition } from '../../../harness/raced-user.ts';
import { steps, waiting, watch } from '../../../harness/races/scenarios/cast.ts';

test('an upload that another worker has worked in meanwhile is not set aside, and its raw data still expires', async () => {
  const user = await raceUser(memoryTable(), null);
  await waiting(user, [watch, steps('2026-03-10T10:00:00Z', 7)]);
  const [row] = await batchRows(user.deps.store).waiting(user.id, 9);
  if (!row) throw new Error('nothing waits');
  await user.settle();
  await deadLetter(user.deps, user.id, row, 'a worker that failed three times');
  expect(await batchRows(user.deps.store).deadLetters()).toEqual([]);
  const raw = (await wholePartition(user.table, user.id)).filter(({ sk }) => String(sk).startsWith('R#'));
  expect(raw.map(({ ttl }) => typeof ttl)).toEqual(['number']);
});
