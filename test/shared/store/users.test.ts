import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TablePlace } from '../../../infra/local/local-table.ts';
import { type Table, TransactionRefused } from '../../../shared/engine/ports.ts';
import { makeId } from '../../../shared/model/ids.ts';
import { erasureRows } from '../../../shared/store/erasure.ts';
import { keys } from '../../../shared/store/keys.ts';
import { type UserRow, userRows } from '../../../shared/store/users.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { owedTo } from '../../harness/owed.ts';
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
  timezone: 'Europe/Berlin',
  profile: { sex: 'female', height_cm: 171.5 },
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
const idsOf = (rows: UserRow[]) => rows.map(({ id }) => id);

onEveryEngine('the store', (kind) => {
  let place: TablePlace;
  let table: Table;
  let users: ReturnType<typeof userRows>;
  let erasure: ReturnType<typeof erasureRows>;
  beforeAll(async () => {
    place = await startTable(kind);
    table = place.table;
    users = userRows(storeOn(table));
    erasure = erasureRows(storeOn(table));
  });
  afterAll(() => place.stop());

  async function insert(row: UserRow): Promise<UserRow> {
    await table.transact(users.inserting(row));
    return row;
  }
  const dueErasures = (): Promise<string[]> => owedTo(storeOn(table), 'erase');
  const refused = (work: Promise<void>) =>
    work.then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof TransactionRefused)) throw error;
        return error.failed.map((each) => each?.item);
      },
    );

  describe('a user', () => {
    test('reads back as it was written, by id, by reference and with its head', async () => {
      const row = await insert(newRow(freshId('account'), { reference: 'ada / \u00fc\u{1f600}' }));
      expect(await users.byId(row.id)).toEqual(row);
      expect(await users.idByReference(row.account, 'live', 'ada / \u00fc\u{1f600}')).toBe(row.id);
      expect(await users.idByReference(row.account, 'sandbox', 'ada / \u00fc\u{1f600}')).toBeUndefined();
      expect(await users.headOf(row.id)).toEqual({ user: row, rest: [] });
      expect(await users.byId(freshId('user'))).toBeUndefined();
      expect(await users.headOf(freshId('user'))).toBeUndefined();
    });

    test('takes no reference that another has, and the refusal names who', async () => {
      const account = freshId('account');
      const first = await insert(newRow(account, { reference: 'one' }));
      const [holder] = (await refused(table.transact(users.inserting(newRow(account, { reference: 'one' }))))) ?? [];
      expect(holder).toMatchObject({ user: first.id });
      const second = await insert(newRow(account, { reference: 'two' }));
      const [still] = (await refused(table.transact(users.changing(second, { ...second, reference: 'one' })))) ?? [];
      expect(still).toMatchObject({ user: first.id });
      expect(await users.byId(second.id)).toEqual(second);
    });

    test('of two changes made at once one is refused', async () => {
      const row = await insert(newRow(freshId('account')));
      const outcomes = await Promise.all(
        ['Asia/Tokyo', 'Africa/Cairo'].map((timezone) =>
          refused(table.transact(users.changing(row, { ...row, timezone }))),
        ),
      );
      expect(outcomes.filter((each) => each === undefined)).toHaveLength(1);
      expect(await users.byId(row.id)).toMatchObject({ revision: 1 });
      expect(await refused(table.transact(users.deleting(row, lastMs)))).toBeDefined();
    });

    test('that is deleted can be neither changed nor deleted again, is listed no more, and is owed to the eraser', async () => {
      const row = await insert(newRow(freshId('account'), { reference: 'gone' }));
      await table.transact(users.deleting(row, lastMs));
      const deleted = await users.byId(row.id);
      expect(deleted).toMatchObject({ status: 'deleting', revision: 1 });
      if (!deleted) throw new Error('the row is gone too early');
      expect(await refused(table.transact(users.changing(deleted, { ...deleted, timezone: null })))).toBeDefined();
      expect(await refused(table.transact(users.deleting(deleted, lastMs)))).toBeDefined();
      expect(await users.idByReference(row.account, 'live', 'gone')).toBeUndefined();
      expect(await users.page(row.account, 'live', 10, undefined)).toEqual({ users: [], more: false });
      expect(await dueErasures()).toContain(row.id);
    });
  });

  describe('a page of users', () => {
    test('shows each living user once, newest first, whatever its size and however many were deleted', async () => {
      const account = freshId('account');
      const rows: UserRow[] = [];
      for (let n = 0; n < 23; n++) rows.push(await insert(newRow(account)));
      await insert(newRow(account, { env: 'sandbox' }));
      for (const row of rows.filter((_row, n) => n % 3 === 0)) await table.transact(users.deleting(row, lastMs));
      const expected = idsOf(rows.filter((_row, n) => n % 3 !== 0)).reverse();
      for (const limit of [1, 2, 5, 14, 15, 16, 100]) {
        const seen: string[] = [];
        for (let after: string | undefined; ; ) {
          const page = await users.page(account, 'live', limit, after);
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

  test('references behave like one dictionary, whatever is created, renamed and deleted', async () => {
    const word = fc.constantFrom('a', 'b', 'c', null);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('create' as const), reference: word }),
      fc.record({ kind: fc.constant('rename' as const), reference: word, which: fc.nat(5) }),
      fc.record({ kind: fc.constant('delete' as const), which: fc.nat(5) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const account = freshId('account');
        const living = new Map<string, string | null>();
        for (const each of steps) {
          const id = each.kind === 'create' ? undefined : [...living.keys()][each.which];
          const row = id === undefined ? newRow(account) : await users.byId(id);
          if (!row || (each.kind !== 'create' && id === undefined)) continue;
          if (each.kind === 'delete') {
            await table.transact(users.deleting(row, lastMs));
            living.delete(row.id);
            continue;
          }
          const after = { ...row, reference: each.reference };
          const writes = each.kind === 'create' ? users.inserting(after) : users.changing(row, after);
          const taken =
            each.reference !== null && [...living].some(([other, held]) => held === each.reference && other !== row.id);
          expect((await refused(table.transact(writes))) !== undefined).toBe(taken);
          if (!taken) living.set(row.id, each.reference);
        }
        for (const reference of ['a', 'b', 'c'])
          expect(await users.idByReference(account, 'live', reference)).toBe(
            [...living].find(([, held]) => held === reference)?.[0],
          );
        const page = await users.page(account, 'live', 100, undefined);
        expect(idsOf(page.users)).toEqual([...living.keys()].sort().reverse());
      }),
      { numRuns: kind === 'dynoxide' ? 25 : 8 },
    );
  });

  describe('an erasure', () => {
    const device = (user: string, n: number) => keys.device(user, `dev_${String(n).padStart(3, '0')}`);

    test('counts every row once, wherever its steps are interrupted and however often they come again', async () => {
      const stepTaken = fc.record({
        rows: fc.integer({ min: 1, max: 9 }),
        /** How much of the step is done before the worker dies. */
        erased: fc.integer({ min: 0, max: 9 }),
        lastFirst: fc.boolean(),
        twice: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 0, max: 20 }),
          fc.array(stepTaken, { maxLength: 6 }),
          async (count, steps) => {
            const row = await insert(newRow(freshId('account')));
            for (let n = 0; n < count; n++) await table.write({ kind: 'put', item: { ...device(row.id, n) } });
            await table.transact(users.deleting(row, lastMs));
            const rest = { rows: 1000, erased: 1000, lastFirst: false, twice: false };
            for (const each of [...steps, rest, rest, rest]) {
              const owed = await erasure.owed(row.id);
              const found = await erasure.leftovers(row.id, each.rows);
              if (found.length === 0 || !owed) break;
              const counted = await Promise.all([
                erasure.count(row.id, owed, found),
                ...(each.twice ? [erasure.count(row.id, owed, found.slice(0, 3))] : []),
              ]);
              if (!counted.includes(true)) throw new Error('nobody was first');
              const mine = counted[0] ? found : found.slice(0, 3);
              await erasure.erase((each.lastFirst ? mine.toReversed() : mine).slice(0, each.erased));
              // Another worker's look at what was erased since is refused, and counts nothing.
              await erasure.count(row.id, owed, found);
            }
            expect(await erasure.leftovers(row.id, 1000)).toEqual([]);
            expect((await erasure.owed(row.id))?.erased).toEqual(count === 0 ? {} : { devices: count });
          },
        ),
        { numRuns: kind === 'dynoxide' ? 30 : 8 },
      );
    });

    test('of a user that is not being deleted counts nothing and is not owed', async () => {
      const row = await insert(newRow(freshId('account')));
      await table.write({ kind: 'put', item: { ...device(row.id, 1) } });
      const asIfOwed = {
        account: 'a',
        env: 'live',
        status: 'deleting',
        deletedMs: 0,
        erased: {},
        counted: [],
        steps: 0,
      } as const;
      expect(await erasure.count(row.id, { ...asIfOwed, counted: [] }, await erasure.leftovers(row.id, 10))).toBe(
        false,
      );
      expect(await erasure.owed(row.id)).toBeUndefined();
      expect(await refused(table.transact([erasure.finishing(row.id)]))).toBeDefined();
    });

    test('is finished once', async () => {
      const row = await insert(newRow(freshId('account')));
      await table.transact(users.deleting(row, lastMs));
      await table.transact([erasure.finishing(row.id)]);
      expect(await refused(table.transact([erasure.finishing(row.id)]))).toBeDefined();
      expect(await users.byId(row.id)).toBeUndefined();
      expect(await dueErasures()).not.toContain(row.id);
    });
  });
});
