// Users that are created, changed, deleted and erased in any order, compared with a simple model.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect } from 'vitest';
import { erasureRows } from '../../../shared/erasure/erasure-rows.ts';
import { type Table, TransactionCanceled } from '../../../shared/platform/ports.ts';
import { makeId } from '../../../shared/system/ids.ts';
import { keys } from '../../../shared/system/keys.ts';
import { noPendingScores } from '../../../shared/users/pending-scores.ts';
import { userCountRows } from '../../../shared/users/user-count-rows.ts';
import { type UserRow, userRows } from '../../../shared/users/user-rows.ts';
import { storeOn } from '../../harness/store-on.ts';

let lastMs = Date.UTC(2026, 0, 1);
export const freshId = (kind: 'account' | 'user') => {
  lastMs += 1;
  return makeId(kind, lastMs, randomBytes(10));
};
export const newRow = (account: string, more: Partial<UserRow> = {}): UserRow => ({
  id: freshId('user'),
  account,
  env: 'live',
  reference: null,
  timezone: 'Europe/Berlin',
  dayRule: 'profile',
  timezoneSource: 'caller',
  profile: { sex: 'female', height_cm: 171.5 },
  status: 'active',
  createdMs: lastMs,
  lastSyncMs: null,
  lastScoreMs: null,
  scoreGeneration: 6,
  mergeRule: 2,
  revision: 0,
  fence: 0,
  sessionsOpened: 0,
  lastUploads: {},
  scores: noPendingScores,
  sharingEpoch: 0,
  unshared: null,
  ...more,
});
/** Returns when the newest of them was created. */
export const latestMs = (): number => lastMs;
export const idsOf = (rows: readonly UserRow[]): string[] => rows.map(({ id }) => id);

export const deviceKey = (user: string, n: number) => keys.device(user, `dev_${String(n).padStart(3, '0')}`);

/** Returns the items for which a write was refused, or undefined if none was. */
export const captureRefusedItems = (work: Promise<void>) =>
  work.then(
    () => undefined,
    (error: unknown) => {
      if (!(error instanceof TransactionCanceled)) throw error;
      return error.failures.map((each) => each?.item);
    },
  );

export async function checkReferences(table: Table, numRuns: number): Promise<void> {
  const users = userRows(storeOn(table));
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
        const row = id === undefined ? newRow(account) : await users.findById(id);
        if (!row || (each.kind !== 'create' && id === undefined)) continue;
        if (each.kind === 'delete') {
          await table.transact(users.buildDelete(row, lastMs));
          living.delete(row.id);
          continue;
        }
        const after = { ...row, reference: each.reference };
        const writes = each.kind === 'create' ? users.buildInsert(after) : users.buildUpdate(row, after);
        const isTaken =
          each.reference !== null &&
          [...living].some(([other, existing]) => existing === each.reference && other !== row.id);
        expect((await captureRefusedItems(table.transact(writes))) !== undefined).toBe(isTaken);
        if (!isTaken) living.set(row.id, each.reference);
      }
      for (const reference of ['a', 'b', 'c'])
        expect(await users.findIdByReference(account, 'live', reference)).toBe(
          [...living].find(([, existing]) => existing === reference)?.[0],
        );
      const page = await users.readPage(account, 'live', 100, undefined);
      expect(idsOf(page.users)).toEqual([...living.keys()].sort().reverse());
    }),
    { numRuns },
  );
}

export async function checkErasureSteps(table: Table, numRuns: number): Promise<void> {
  const users = userRows(storeOn(table));
  const erasure = erasureRows(storeOn(table));
  const erasureStep = fc.record({
    rows: fc.integer({ min: 1, max: 9 }),
    /** How much of the step is done before the worker dies. */
    erased: fc.integer({ min: 0, max: 9 }),
    lastFirst: fc.boolean(),
    twice: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 20 }), fc.array(erasureStep, { maxLength: 6 }), async (count, steps) => {
      const row = newRow(freshId('account'));
      await table.transact(users.buildInsert(row));
      for (let n = 0; n < count; n++) await table.write({ kind: 'put', item: { ...deviceKey(row.id, n) } });
      await table.transact(users.buildDelete(row, lastMs));
      const rest = { rows: 1000, erased: 1000, lastFirst: false, twice: false };
      for (const each of [...steps, rest, rest, rest]) {
        const pending = await erasure.findPending(row.id);
        const found = await erasure.listRemainingKeys(row.id, each.rows, lastMs);
        if (found.length === 0 || !pending) break;
        const counted = await Promise.all([
          erasure.recordCounts(row.id, pending, found),
          ...(each.twice ? [erasure.recordCounts(row.id, pending, found.slice(0, 3))] : []),
        ]);
        if (!counted.includes(true)) throw new Error('no worker was first');
        const mine = counted[0] ? found : found.slice(0, 3);
        await erasure.erase((each.lastFirst ? mine.toReversed() : mine).slice(0, each.erased));
        // A count by another worker that read before the erasure is refused.
        const isNews = found.some(({ sk }) => !pending.countedKeys.includes(sk));
        expect(await erasure.recordCounts(row.id, pending, found)).toBe(!isNews);
      }
      expect(await erasure.listRemainingKeys(row.id, 1000, lastMs)).toEqual([]);
      expect((await erasure.findPending(row.id))?.erased).toEqual(count === 0 ? {} : { devices: count });
    }),
    { numRuns },
  );
}

export async function checkCounts(table: Table, numRuns: number): Promise<void> {
  const users = userRows(storeOn(table));
  const remove = async (row: UserRow) =>
    (await captureRefusedItems(table.transact(users.buildDelete(row, lastMs)))) === undefined;
  const insert = async (row: UserRow) =>
    (await captureRefusedItems(table.transact(users.buildInsert(row)))) === undefined;
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
        const [removed, inserted] = await Promise.all([
          Promise.all(leaving.map(remove)),
          Promise.all(coming.map(insert)),
        ]);
        for (const [at, row] of leaving.entries()) if (removed[at]) alive.delete(row.id);
        for (const [at, row] of coming.entries()) if (inserted[at]) alive.set(row.id, row);
        expect(new Set(leaving.filter((_row, at) => removed[at])).size).toBe(removed.filter(Boolean).length);
      }
      expect(await userCountRows(storeOn(table)).getTotal(account, 'live')).toBe(alive.size);
      expect(idsOf(await users.readPageAtOffset(account, 'live', 0, 100))).toEqual([...alive.keys()].sort());
    }),
    { numRuns },
  );
}
