import { afterAll, beforeAll, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { startTable } from '../system/engines.ts';
import { checkCounts, checkErasureSteps, checkReferences } from './user-model.ts';

onEveryEngine('the store', (kind) => {
  let localTable: LocalTable;
  beforeAll(async () => {
    localTable = await startTable(kind);
  });
  afterAll(() => localTable.stop());

  test('references behave like one dictionary under any creations, renames and deletions', async () => {
    await checkReferences(localTable.table, kind === 'dynoxide' ? 25 : 8);
  });

  test('an erasure counts every row once, wherever its steps are interrupted and however often they are repeated', async () => {
    await checkErasureSteps(localTable.table, kind === 'dynoxide' ? 30 : 8);
  });

  test('the user count includes existing users only, however many are created and deleted concurrently, some of them twice', async () => {
    await checkCounts(localTable.table, kind === 'dynoxide' ? 25 : 8);
  });
});
