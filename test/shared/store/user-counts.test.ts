// How many users there are, and the pages that are found by their number.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TablePlace } from '../../../infra/local/local-table.ts';
import { type Table, TransactionRefused } from '../../../shared/engine/ports.ts';
import { makeId } from '../../../shared/model/ids.ts';
import { keys } from '../../../shared/store/keys.ts';
import { countingUser, userCountRows } from '../../../shared/store/user-counts.ts';
import { type UserRow, userRows } from '../../../shared/store/users.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from './engines.ts';

let lastMs = Date.UTC(2026, 0, 1);
const freshId = (kind: 'account' | 'user') => {
  lastMs += 1;
  return makeId(kind, lastMs, randomBytes(10));
};
const newRow = (account: string, more: Partial<UserRow> = {}): UserRow => ({
  id: freshId('user'),
  account,
  env: 'live',
  reference: null,
  timezone: null,
  profile: {},
  status: 'active',
  createdMs: lastMs,
  lastSyncMs: null,
  lastScoreMs: null,
  scoreGeneration: 6,
  revision: 0,
  work: 0,
  isCounted: true,
  ...more,
});
const idsOf = (rows: readonly UserRow[]) => rows.map(({ id }) => id);

test('users are counted in sixteen rows, about as many in each, so that creations at the same time rarely meet', () => {
  const account = freshId('account');
  const rows = Array.from({ length: 4_000 }, () => countingUser(newRow(account), 1));
  const shards = Map.groupBy(rows, (write) => (write.kind === 'update' ? write.key.sk : ''));
  expect(shards.size).toBe(16);
  for (const [, counted] of shards) expect(counted.length).toBeLessThan(500);
});

onEveryEngine('users', (kind) => {
  let place: TablePlace;
  let table: Table;
  let users: ReturnType<typeof userRows>;
  const calls: { operation: string; readUnits: number }[] = [];
  beforeAll(async () => {
    place = await startTable(kind, (call) => calls.push(call));
    table = place.table;
    users = userRows(storeOn(table));
  });
  afterAll(() => place.stop());

  const total = (account: string, env: 'live' | 'sandbox' = 'live') =>
    userCountRows(storeOn(table)).total(account, env);
  const held = (work: Promise<void>): Promise<boolean> =>
    work.then(
      () => true,
      (error: unknown) => {
        if (error instanceof TransactionRefused) return false;
        throw error;
      },
    );
  const insert = (row: UserRow) => held(table.transact(users.inserting(row)));
  const remove = (row: UserRow) => held(table.transact(users.deleting(row, lastMs)));
  async function made(account: string, count: number): Promise<UserRow[]> {
    const rows = Array.from({ length: count }, () => newRow(account));
    await Promise.all(rows.map(insert));
    return rows;
  }

  describe('their number', () => {
    test('a user from before there was a count does not leave it when it is deleted', async () => {
      const account = freshId('account');
      const [former, recent] = [newRow(account, { isCounted: false }), newRow(account)];
      await table.transact([...users.inserting(former), ...users.inserting(recent)]);
      expect(await total(account)).toBe(1);
      await table.transact(users.deleting(former, lastMs));
      expect(await total(account)).toBe(1);
      await table.transact(users.deleting(recent, lastMs));
      expect(await total(account)).toBe(0);
    });

    test('is that of the living, however many are created and deleted at the same time, some of them twice', async () => {
      const step = fc.record({
        creates: fc.array(fc.constantFrom('a', 'b', null), { maxLength: 6 }),
        deletes: fc.array(fc.nat(11), { maxLength: 6 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 4 }), async (steps) => {
          const account = freshId('account');
          const alive = new Map<string, UserRow>();
          for (const { creates, deletes } of steps) {
            const leaving = deletes.flatMap((which) => [...alive.values()][which] ?? []);
            const coming = creates.map((reference) => newRow(account, { reference }));
            const [went, came] = await Promise.all([Promise.all(leaving.map(remove)), Promise.all(coming.map(insert))]);
            for (const [at, row] of leaving.entries()) if (went[at]) alive.delete(row.id);
            for (const [at, row] of coming.entries()) if (came[at]) alive.set(row.id, row);
            expect(new Set(leaving.filter((_row, at) => went[at])).size).toBe(went.filter(Boolean).length);
          }
          expect(await total(account)).toBe(alive.size);
          expect(idsOf(await users.pageAt(account, 'live', 0, 100))).toEqual([...alive.keys()].sort());
        }),
        { numRuns: kind === 'dynoxide' ? 25 : 8 },
      );
    });

    test('is that of one environment', async () => {
      const account = freshId('account');
      await made(account, 2);
      await insert(newRow(account, { env: 'sandbox' }));
      expect([await total(account), await total(account, 'sandbox'), await total(freshId('account'))]).toEqual([
        2, 1, 0,
      ]);
    });

    test('does not change with a creation or a deletion that is refused', async () => {
      const account = freshId('account');
      const first = newRow(account, { reference: 'one' });
      expect([await insert(first), await insert(newRow(account, { reference: 'one' }))]).toEqual([true, false]);
      expect(await total(account)).toBe(1);
      expect([await remove(first), await remove(first)]).toEqual([true, false]);
      expect(await total(account)).toBe(0);
    });

    test('is one Query of one unit', async () => {
      const account = freshId('account');
      await made(account, 40);
      calls.length = 0;
      expect(await total(account)).toBe(40);
      expect(calls).toEqual([expect.objectContaining({ operation: 'Query', readUnits: 1 })]);
    });
  });

  describe('a page by its number', () => {
    test('shows each living user once in order of creation, whatever its size and however many were deleted', async () => {
      const account = freshId('account');
      const rows = await made(account, 23);
      await insert(newRow(account, { env: 'sandbox' }));
      for (const row of rows.filter((_row, n) => n % 3 === 0)) await remove(row);
      const expected = idsOf(rows.filter((_row, n) => n % 3 !== 0));
      for (const limit of [1, 2, 5, 14, 15, 16, 100]) {
        const seen: string[] = [];
        for (let offset = 0; offset < expected.length; offset += limit)
          seen.push(...idsOf(await users.pageAt(account, 'live', offset, limit)));
        expect(seen).toEqual(expected);
        expect(await users.pageAt(account, 'live', expected.length, limit)).toEqual([]);
      }
    });

    test('reads the keys of those before it, and only its own users', async () => {
      const account = freshId('account');
      const rows = await made(account, 60);
      calls.length = 0;
      const page = await users.pageAt(account, 'live', 40, 10);
      expect(idsOf(page)).toEqual(idsOf(rows.slice(40, 50)));
      expect(calls.map(({ operation, readUnits }) => [operation, readUnits])).toEqual([
        ['Query', expect.any(Number)],
        ['BatchGetItem', 10],
      ]);
      expect(calls[0]?.readUnits).toBeLessThanOrEqual(2);
    });

    test('is full although the index still lists somebody who was deleted a moment ago', async () => {
      const account = freshId('account');
      const rows = await made(account, 6);
      const inNoOrder: Table['batchGet'] = async (wanted, options) =>
        (await table.batchGet(wanted, options)).sort((a, b) => (String(a['id']) < String(b['id']) ? 1 : -1));
      const late: Table = { ...table, query: async (asked) => lateIndex(asked), batchGet: inNoOrder };
      const listed = rows.map(({ id }) => ({ ...keys.user(id), listPk: 'a list', listSk: id }));
      const lateIndex: Table['query'] = async ({ limit = listed.length, after, only }) => {
        expect(only).toEqual(['pk', 'sk']);
        const from = after ? listed.findIndex(({ pk }) => pk === after['pk']) + 1 : 0;
        const items = listed.slice(from, from + limit);
        const last = items.at(-1);
        return last && from + limit < listed.length ? { items, next: last } : { items };
      };
      for (const row of [rows[1], rows[2]]) if (row) await remove(row);
      const page = await userRows(storeOn(late)).pageAt(account, 'live', 0, 3);
      expect(idsOf(page)).toEqual([rows[0], rows[3], rows[4]].map((row) => row?.id));
    });
  });
});
