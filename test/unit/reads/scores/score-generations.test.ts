// A read during the move of its user to new formulas returns all of one generation or all of the
// other, and never nothing.
import { expect, test } from 'vitest';
import type { Item, Table } from '../../../../shared/platform/ports.ts';
import { addDays } from '../../../../shared/platform/time/local-day.ts';
import {
  isScoreResult,
  readScores,
  type ScoresRequest,
  type ScoresResult,
} from '../../../../shared/reads/scores/read-scores.ts';
import type { Caller } from '../../../../shared/system/caller.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import { runWriter } from '../../../harness/run-writer.ts';
import { addPendingScores, createScoredUser, firstDay } from '../../measurements/rescored-user.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_1', env: 'live', form: 2 };
const request: ScoresRequest = {
  range: {
    from: addDays(firstDay, 30),
    to: addDays(firstDay, 50),
    names: { from: 'from_date', to: 'to_date' },
    maxDays: 366,
  },
  scores: ['strain_score'],
  explanations: 'none',
};
const versionsIn = ({ columns }: ScoresResult) =>
  columns.flatMap(({ entries }) => entries.map((entry) => (isScoreResult(entry) ? entry.version : null)));

test('rows read just before the move and the user read just after it give the new formulas', async () => {
  const world = memoryDeps();
  const user = await createScoredUser(world.deps, caller, 60);
  await addPendingScores(world.deps, user, firstDay, firstDay);
  const { table } = world.deps.store;
  const rowsRead = Promise.withResolvers<void>();
  let move: Promise<void> | undefined;
  const torn: Table = {
    ...table,
    async *queryAll(query) {
      if (!String(query.values?.['from']).startsWith('S#')) {
        await rowsRead.promise;
        move ??= runWriter(world.deps, user);
        await move;
        yield* table.queryAll(query);
        return;
      }
      const items: Item[] = [];
      for await (const item of table.queryAll(query)) items.push(item);
      rowsRead.resolve();
      yield* items;
    },
  };
  const before = versionsIn(await readScores(world.deps, caller, user, request));
  const during = versionsIn(await readScores(world.withTable(torn), caller, user, request));
  expect(move).toBeDefined();
  expect([before, during]).toEqual([before.map(() => 1), before.map(() => 2)]);
});
