import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { erasureRows } from '../../../shared/erasure/erasure-rows.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { type UserRow, userRows } from '../../../shared/users/user-rows.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { listPendingOwners } from '../../harness/pending-work.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from '../system/engines.ts';
import {
  captureRefusedItems,
  checkErasureSteps,
  checkReferences,
  deviceKey,
  freshId,
  idsOf,
  latestMs,
  newRow,
} from './user-model.ts';

onEveryEngine('the store', (kind) => {
  let localTable: LocalTable;
  let table: Table;
  let users: ReturnType<typeof userRows>;
  let erasure: ReturnType<typeof erasureRows>;
  beforeAll(async () => {
    localTable = await startTable(kind);
    table = localTable.table;
    users = userRows(storeOn(table));
    erasure = erasureRows(storeOn(table));
  });
  afterAll(() => localTable.stop());

  async function insert(row: UserRow): Promise<UserRow> {
    await table.transact(users.buildInsert(row));
    return row;
  }
  const listPendingErasures = (): Promise<string[]> => listPendingOwners(storeOn(table), 'user');

  test('a user without the version of the merge rules is an error, not one of the first version', async () => {
    const { id } = await insert(newRow(freshId('account')));
    await table.write({ kind: 'update', key: keys.user(id), update: 'REMOVE #mergeRule', values: {} });
    await expect(users.findById(id)).rejects.toThrow('"mergeRule"');
  });

  describe('a user', () => {
    test('is read back as it was written, by id, by reference and with its head', async () => {
      const row = await insert(newRow(freshId('account'), { reference: 'ada / \u00fc\u{1f600}' }));
      expect(await users.findById(row.id)).toEqual(row);
      expect(await users.findIdByReference(row.account, 'live', 'ada / \u00fc\u{1f600}')).toBe(row.id);
      expect(await users.findIdByReference(row.account, 'sandbox', 'ada / \u00fc\u{1f600}')).toBeUndefined();
      expect(await users.readHead(row.id)).toEqual({ user: row, rest: [] });
      expect(await users.findById(freshId('user'))).toBeUndefined();
      expect(await users.readHead(freshId('user'))).toBeUndefined();
    });

    test('cannot take the reference of another user, and the refusal names that user', async () => {
      const account = freshId('account');
      const first = await insert(newRow(account, { reference: 'one' }));
      const [holder] =
        (await captureRefusedItems(table.transact(users.buildInsert(newRow(account, { reference: 'one' }))))) ?? [];
      expect(holder).toMatchObject({ user: first.id });
      const second = await insert(newRow(account, { reference: 'two' }));
      const [still] =
        (await captureRefusedItems(table.transact(users.buildUpdate(second, { ...second, reference: 'one' })))) ?? [];
      expect(still).toMatchObject({ user: first.id });
      expect(await users.findById(second.id)).toEqual(second);
    });

    test('accepts only one of two concurrent updates', async () => {
      const row = await insert(newRow(freshId('account')));
      const outcomes = await Promise.all(
        ['Asia/Tokyo', 'Africa/Cairo'].map((timezone) =>
          captureRefusedItems(table.transact(users.buildUpdate(row, { ...row, timezone }))),
        ),
      );
      expect(outcomes.filter((each) => each === undefined)).toHaveLength(1);
      expect(await users.findById(row.id)).toMatchObject({ revision: 1 });
      expect(await captureRefusedItems(table.transact(users.buildDelete(row, latestMs())))).toBeDefined();
    });

    test('that is deleted can be neither updated nor deleted again, is not listed, and has its erasure pending', async () => {
      const row = await insert(newRow(freshId('account'), { reference: 'gone' }));
      await table.transact(users.buildDelete(row, latestMs()));
      const deleted = await users.findById(row.id);
      expect(deleted).toMatchObject({ status: 'deleting', revision: 1 });
      if (!deleted) throw new Error('the row does not exist');
      expect(
        await captureRefusedItems(table.transact(users.buildUpdate(deleted, { ...deleted, timezone: null }))),
      ).toBeDefined();
      expect(await captureRefusedItems(table.transact(users.buildDelete(deleted, latestMs())))).toBeDefined();
      expect(await users.findIdByReference(row.account, 'live', 'gone')).toBeUndefined();
      expect(await users.readPage(row.account, 'live', 10, undefined)).toEqual({ users: [], more: false });
      expect(await listPendingErasures()).toContain(row.id);
    });
  });

  describe('a user who stops sharing', () => {
    const since = { sinceMs: 7, emailHash: 'hash' };
    const read = async ({ id }: UserRow): Promise<UserRow> => {
      const row = await users.findById(id);
      if (!row) throw new Error('the user does not exist');
      return row;
    };

    test('is listed, updated, processed and deleted as before, and accepts nothing new', async () => {
      const row = await insert(newRow(freshId('account')));
      await table.transact([users.buildUnshare(row, since)]);
      const unshared = await read(row);
      expect(unshared).toMatchObject({ status: 'unshared', sharingEpoch: 1, unshared: since, revision: 1 });
      expect(idsOf((await users.readPage(row.account, 'live', 10, undefined)).users)).toEqual([row.id]);
      expect(idsOf(await users.readPageAtOffset(row.account, 'live', 0, 10))).toEqual([row.id]);
      for (const write of [users.buildActiveCheck(row.id), users.buildFinishPass(row, row)])
        expect(await captureRefusedItems(table.transact([write]))).toBeDefined();
      await table.transact([users.buildNotDeletingCheck(row.id)]);
      await table.transact([users.buildGenerationCheck(unshared)]);
      await table.transact([users.buildFinishPass(unshared, { ...unshared, lastSyncMs: 9, lastScoreMs: 11 })]);
      await table.transact(users.buildUpdate(await read(row), { ...unshared, timezone: 'Asia/Tokyo' }));
      expect(await read(row)).toMatchObject({ lastSyncMs: 9, lastScoreMs: 11, fence: 1, timezone: 'Asia/Tokyo' });
      await table.transact(users.buildDelete(await read(row), latestMs()));
      expect(await listPendingErasures()).toContain(row.id);
    });

    test('shares again once, from the row as it was read, and each revocation is counted', async () => {
      const row = await insert(newRow(freshId('account')));
      expect(await captureRefusedItems(table.transact([users.buildReshare(row)]))).toBeDefined();
      await table.transact([users.buildUnshare(row, since)]);
      expect(await captureRefusedItems(table.transact([users.buildUnshare(row, since)]))).toBeDefined();
      const unshared = await read(row);
      await table.transact([users.buildReshare(unshared)]);
      expect(await captureRefusedItems(table.transact([users.buildReshare(unshared)]))).toBeDefined();
      const again = await read(row);
      expect(again).toMatchObject({ status: 'active', sharingEpoch: 1, unshared: null, revision: 2 });
      await table.transact([users.buildActiveCheck(row.id)]);
      await table.transact([users.buildUnshare(again, since)]);
      expect(await read(row)).toMatchObject({ status: 'unshared', sharingEpoch: 2 });
    });
  });

  describe('a page of users', () => {
    test('shows each existing user once, newest first, for any page size and after any deletions', async () => {
      const account = freshId('account');
      const rows: UserRow[] = [];
      for (let n = 0; n < 23; n++) rows.push(await insert(newRow(account)));
      await insert(newRow(account, { env: 'sandbox' }));
      for (const row of rows.filter((_row, n) => n % 3 === 0)) await table.transact(users.buildDelete(row, latestMs()));
      const expected = idsOf(rows.filter((_row, n) => n % 3 !== 0)).reverse();
      for (const limit of [1, 2, 5, 14, 15, 16, 100]) {
        const seen: string[] = [];
        for (let after: string | undefined; ; ) {
          const page = await users.readPage(account, 'live', limit, after);
          expect(page.users.length).toBeLessThanOrEqual(limit);
          seen.push(...idsOf(page.users));
          if (!page.more) break;
          expect(page.users).toHaveLength(limit);
          after = page.users.at(-1)?.id;
        }
        expect(seen).toEqual(expected);
      }
    });
  });

  test('references behave like one dictionary under any creations, renames and deletions', async () => {
    await checkReferences(table, 8);
  });

  describe('an erasure', () => {
    test('counts every row once, wherever its steps are interrupted and however often they are repeated', async () => {
      await checkErasureSteps(table, 8);
    });

    test('of a user that is not being deleted counts nothing and is not pending', async () => {
      const row = await insert(newRow(freshId('account')));
      await table.write({ kind: 'put', item: { ...deviceKey(row.id, 1) } });
      const pendingErasure = {
        account: 'a',
        env: 'live',
        status: 'deleting',
        erased: {},
        countedKeys: [],
        steps: 0,
      } as const;
      expect(
        await erasure.recordCounts(
          row.id,
          { ...pendingErasure, countedKeys: [] },
          await erasure.listRemainingKeys(row.id, 10, latestMs()),
        ),
      ).toBe(false);
      expect(await erasure.findPending(row.id)).toBeUndefined();
      expect(await captureRefusedItems(table.transact([erasure.buildFinish(row.id)]))).toBeDefined();
    });

    test('leaves uploads that may still be in progress, and nothing else', async () => {
      const [user, since] = [freshId('user'), latestMs()];
      const recent = [since, since + 1].map((atMs) => keys.uploadCommand(user, atMs, 'bat_a'));
      const others = [
        keys.uploadCommand(user, since - 1, 'bat_z'),
        keys.rawChunk(user, 'bat_a', 0),
        keys.coalescedCommand(user, 'recount'),
      ];
      for (const key of [...recent, ...others]) await table.write({ kind: 'put', item: { ...key } });
      const found = await erasure.listRemainingKeys(user, 10, since);
      expect(found.map(({ sk }) => sk)).toEqual(others.map(({ sk }) => sk).sort());
      expect(await erasure.listRemainingKeys(user, 10, since + 2)).toHaveLength(5);
    });

    test('is finished once', async () => {
      const row = await insert(newRow(freshId('account')));
      await table.transact(users.buildDelete(row, latestMs()));
      await table.transact([erasure.buildFinish(row.id)]);
      expect(await captureRefusedItems(table.transact([erasure.buildFinish(row.id)]))).toBeDefined();
      expect(await users.findById(row.id)).toBeUndefined();
      expect(await listPendingErasures()).not.toContain(row.id);
    });
  });
});
