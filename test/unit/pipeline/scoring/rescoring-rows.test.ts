import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalTable } from '../../../../infra/local/local-table.ts';
import { mergeRule } from '../../../../shared/catalog/merge-rule.ts';
import { scoringGeneration } from '../../../../shared/catalog/score-table.ts';
import { rescoringRows } from '../../../../shared/pipeline/scoring/rescoring-rows.ts';
import { TransactionCanceled } from '../../../../shared/platform/ports.ts';
import { keys } from '../../../../shared/system/keys.ts';
import type { Store } from '../../../../shared/system/store.ts';
import { type UserRow, userRows } from '../../../../shared/users/user-rows.ts';
import { onEveryEngine } from '../../../harness/every-engine.ts';
import { storeOn } from '../../../harness/store-on.ts';
import { startTable } from '../../system/engines.ts';

onEveryEngine('the store', (kind) => {
  let localTable: LocalTable;
  let store: Store;
  beforeAll(async () => {
    localTable = await startTable(kind);
    store = storeOn(localTable.table);
  });
  afterAll(() => localTable.stop());

  test('lets one of two concurrent sweeps save its progress, the first time and every other', async () => {
    const rows = rescoringRows(store);
    const next = {
      generation: scoringGeneration,
      mergeRule,
      position: null,
      pace: 400,
      requested: 1,
      visitedInRound: 2,
      requestedInRound: 1,
      isDone: false,
    };
    expect(await rows.saveProgress(undefined, next)).toBe(true);
    expect(await rows.saveProgress(undefined, { ...next, requested: 2 })).toBe(false);
    const read = await rows.findProgress();
    expect(read).toEqual({ ...next, batch: 1 });
    expect(await rows.saveProgress(read, { ...next, requested: 3 })).toBe(true);
    expect(await rows.saveProgress(read, { ...next, requested: 4 })).toBe(false);
    expect(await rows.findProgress()).toEqual({ ...next, requested: 3, batch: 2 });
  });

  describe('with the generation check of a user', () => {
    const write = (id: string, row: object) =>
      localTable.table.write({ kind: 'put', item: { ...keys.user(id), status: 'active', ...row } });
    const read = (id: string, scoreGeneration: number) => ({ id, scoreGeneration }) as UserRow;
    const isShown = (id: string, generation: number) =>
      store.commit([userRows(store).buildGenerationCheck(read(id, generation))]).then(
        () => true,
        (error) => {
          expect(error).toBeInstanceOf(TransactionCanceled);
          return false;
        },
      );

    test('passes it only if the user was neither rescored nor deleted since the read', async () => {
      await write('usr_behind', { scoreGeneration: scoringGeneration - 1 });
      await write('usr_moved', { scoreGeneration: scoringGeneration });
      await write('usr_gone', { scoreGeneration: scoringGeneration, status: 'deleting' });
      expect(await isShown('usr_behind', scoringGeneration - 1)).toBe(true);
      expect(await isShown('usr_moved', scoringGeneration - 1)).toBe(false);
      expect(await isShown('usr_moved', scoringGeneration)).toBe(true);
      expect(await isShown('usr_moved', scoringGeneration + 1)).toBe(false);
      expect(await isShown('usr_behind', scoringGeneration)).toBe(false);
      expect(await isShown('usr_gone', scoringGeneration)).toBe(false);
      expect(await isShown('usr_nobody', scoringGeneration - 1)).toBe(false);
    });
  });
});
