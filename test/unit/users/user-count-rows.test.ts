// The number of users, and the pages that are read by page number.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import type { Table } from '../../../shared/platform/ports.ts';
import { keys } from '../../../shared/system/keys.ts';
import { buildUserCountUpdate, userCountRows } from '../../../shared/users/user-count-rows.ts';
import { type UserRow, userRows } from '../../../shared/users/user-rows.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from '../system/engines.ts';
import { captureRefusedItems, checkCounts, freshId, idsOf, latestMs, newRow } from './user-model.ts';

test('users are counted in sixteen rows, about equally, so that concurrent creations rarely conflict', () => {
  const account = freshId('account');
  const rows = Array.from({ length: 4_000 }, () => buildUserCountUpdate(newRow(account), 1));
  const shards = Map.groupBy(rows, (write) => (write.kind === 'update' ? write.key.sk : ''));
  expect(shards.size).toBe(16);
  for (const [, counted] of shards) expect(counted.length).toBeLessThan(500);
});

onEveryEngine('users', (kind) => {
  let localTable: LocalTable;
  let table: Table;
  let users: ReturnType<typeof userRows>;
  const calls: { operation: string; readUnits: number }[] = [];
  beforeAll(async () => {
    localTable = await startTable(kind, (call) => calls.push(call));
    table = localTable.table;
    users = userRows(storeOn(table));
  });
  afterAll(() => localTable.stop());

  const total = (account: string, env: 'live' | 'sandbox' = 'live') =>
    userCountRows(storeOn(table)).getTotal(account, env);
  const insert = async (row: UserRow) =>
    (await captureRefusedItems(table.transact(users.buildInsert(row)))) === undefined;
  const remove = async (row: UserRow) =>
    (await captureRefusedItems(table.transact(users.buildDelete(row, latestMs())))) === undefined;
  async function insertUsers(account: string, count: number): Promise<UserRow[]> {
    const rows = Array.from({ length: count }, () => newRow(account));
    await Promise.all(rows.map(insert));
    return rows;
  }

  describe('the user count', () => {
    test('includes existing users only, however many are created and deleted concurrently, some of them twice', async () => {
      await checkCounts(table, 6);
    });

    test('is separate for each environment', async () => {
      const account = freshId('account');
      await insertUsers(account, 2);
      await insert(newRow(account, { env: 'sandbox' }));
      expect([await total(account), await total(account, 'sandbox'), await total(freshId('account'))]).toEqual([
        2, 1, 0,
      ]);
    });

    test('does not change with a creation or a deletion that is rejected', async () => {
      const account = freshId('account');
      const first = newRow(account, { reference: 'one' });
      expect([await insert(first), await insert(newRow(account, { reference: 'one' }))]).toEqual([true, false]);
      expect(await total(account)).toBe(1);
      expect([await remove(first), await remove(first)]).toEqual([true, false]);
      expect(await total(account)).toBe(0);
    });

    test('takes one Query of one read unit', async () => {
      const account = freshId('account');
      await insertUsers(account, 40);
      calls.length = 0;
      expect(await total(account)).toBe(40);
      expect(calls).toEqual([expect.objectContaining({ operation: 'Query', readUnits: 1 })]);
    });
  });

  describe('a numbered page', () => {
    test('shows each existing user once in order of creation, for any page size and after any deletions', async () => {
      const account = freshId('account');
      const rows = await insertUsers(account, 23);
      await insert(newRow(account, { env: 'sandbox' }));
      for (const row of rows.filter((_row, n) => n % 3 === 0)) await remove(row);
      const expected = idsOf(rows.filter((_row, n) => n % 3 !== 0));
      for (const limit of [1, 2, 5, 14, 15, 16, 100]) {
        const seen: string[] = [];
        for (let offset = 0; offset < expected.length; offset += limit)
          seen.push(...idsOf(await users.readPageAtOffset(account, 'live', offset, limit)));
        expect(seen).toEqual(expected);
        expect(await users.readPageAtOffset(account, 'live', expected.length, limit)).toEqual([]);
      }
    });

    test('reads the keys of the users before it, and only its own users', async () => {
      const account = freshId('account');
      const rows = await insertUsers(account, 60);
      calls.length = 0;
      const page = await users.readPageAtOffset(account, 'live', 40, 10);
      expect(idsOf(page)).toEqual(idsOf(rows.slice(40, 50)));
      expect(calls.map(({ operation, readUnits }) => [operation, readUnits])).toEqual([
        ['Query', expect.any(Number)],
        ['BatchGetItem', 10],
      ]);
      expect(calls[0]?.readUnits).toBeLessThanOrEqual(2);
    });

    test('is full although the index still lists a user who was deleted a moment ago', async () => {
      const account = freshId('account');
      const rows = await insertUsers(account, 6);
      const batchGetUnordered: Table['batchGet'] = async (wanted, options) =>
        (await table.batchGet(wanted, options)).sort((a, b) => (String(a['id']) < String(b['id']) ? 1 : -1));
      const late: Table = { ...table, query: async (query) => lateIndex(query), batchGet: batchGetUnordered };
      const listed = rows.map(({ id }) => ({ ...keys.user(id), listPk: 'a list', listSk: id }));
      const lateIndex: Table['query'] = async ({ limit = listed.length, after, only }) => {
        expect(only).toEqual(['pk', 'sk']);
        const from = after ? listed.findIndex(({ pk }) => pk === after['pk']) + 1 : 0;
        const items = listed.slice(from, from + limit);
        const last = items.at(-1);
        return last && from + limit < listed.length ? { items, next: last } : { items };
      };
      for (const row of [rows[1], rows[2]]) if (row) await remove(row);
      const page = await userRows(storeOn(late)).readPageAtOffset(account, 'live', 0, 3);
      expect(idsOf(page)).toEqual([rows[0], rows[3], rows[4]].map((row) => row?.id));
    });
  });
});
