import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { type PendingKind, pendingShards } from '../../../shared/system/pending-kinds.ts';
import { pendingWorkRows } from '../../../shared/system/pending-work-rows.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { pendingRow } from '../../harness/pending-work.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from './engines.ts';

onEveryEngine('pending work', (engine) => {
  let localTable: LocalTable;
  beforeAll(async () => {
    localTable = await startTable(engine);
  });
  afterAll(() => localTable.stop());

  const now = Date.UTC(2026, 2, 10);
  const addPending = (kind: PendingKind, owners: readonly string[]) =>
    localTable.table.batchWrite(owners.map((owner, index) => pendingRow(kind, owner, now - 1_000 + index)));

  test('is read from where the last page ended, also when some shards of the index are at their end', async () => {
    const rows = pendingWorkRows(storeOn(localTable.table));
    // All but the last few are in one shard.
    const crowded = Array.from({ length: 30 }, (_none, index) => `${index} of one part`);
    const owners = [...crowded, 'aa', 'ab', 'ac', 'ad'];
    await addPending('user', owners);
    const seen: string[] = [];
    let looks = 0;
    for (let from: string[] | undefined, first = true; first || from; first = false) {
      const { pending: pendingWork, cursor: rest } = await rows.listBefore('user', now, {
        limit: 5 * pendingShards,
        from,
      });
      expect(pendingWork.length).toBeLessThanOrEqual(5 * pendingShards);
      seen.push(...pendingWork.map(({ owner }) => owner));
      from = rest;
      looks++;
    }
    expect(seen.filter((owner) => crowded.includes(owner))).toEqual(crowded);
    expect([...seen].sort()).toEqual([...owners].sort());
    expect(looks).toBe(6);
  });

  test('is remembered between reads until everything was read', async () => {
    const rows = pendingWorkRows(storeOn(localTable.table));
    expect(await rows.findSweepCursor('mail')).toBeUndefined();
    await rows.saveSweepCursor('mail', ['a', '~']);
    expect([await rows.findSweepCursor('mail'), await rows.findSweepCursor('seed')]).toEqual([['a', '~'], undefined]);
    await rows.saveSweepCursor('mail', undefined);
    expect(await rows.findSweepCursor('mail')).toBeUndefined();
  });

  test('is separate for each kind, and excludes work that begins later', async () => {
    const rows = pendingWorkRows(storeOn(localTable.table));
    await addPending('seed', ['aa', 'ab']);
    expect((await rows.listBefore('sandbox', now, { limit: 100 })).pending).toEqual([]);
    const { pending: pendingWork } = await rows.listBefore('seed', now - 999, { limit: 100 });
    expect(pendingWork).toEqual([{ owner: 'aa', key: { pk: 'OWED#aa', sk: 'seed' }, dueMs: now - 1_000 }]);
    expect([await rows.findOldestMs('seed'), await rows.findOldestMs('sandbox')]).toEqual([now - 1_000, undefined]);
  });
});
