// The end of a pass on the user's row: one writer at a time, and only the state that was read
// counts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { keys } from '../../../shared/system/keys.ts';
import { messageGraceMs, pendingIndexKeys } from '../../../shared/system/pending-kinds.ts';
import { noPendingScores } from '../../../shared/users/pending-scores.ts';
import { type PassResult, type UserRow, userRows } from '../../../shared/users/user-rows.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { storeOn } from '../../harness/store-on.ts';
import { captureRefusedItems, freshId, latestMs, newRow } from '../users/user-model.ts';
import { startTable } from './engines.ts';

const dueMs = 1_773_230_400_000;
const waitingUntil = (ms: number) => ({
  ...noPendingScores,
  days: [{ from: '2026-03-10', to: '2026-03-11', dueMs: ms, atOnce: false }],
});

onEveryEngine('a pass', (kind) => {
  let localTable: LocalTable;
  let users: ReturnType<typeof userRows>;
  beforeAll(async () => {
    localTable = await startTable(kind);
    users = userRows(storeOn(localTable.table));
  });
  afterAll(() => localTable.stop());

  async function inserted(more: Partial<UserRow> = {}): Promise<UserRow> {
    const row = newRow(freshId('account'), more);
    await localTable.table.transact(users.buildInsert(row));
    return row;
  }
  async function read({ id }: UserRow): Promise<UserRow> {
    const row = await users.findById(id);
    if (!row) throw new Error('the user does not exist');
    return row;
  }
  /** Returns whether the row accepted the write. A refusal leaves the row as it was. */
  async function passes(row: UserRow, after: Partial<PassResult> = {}): Promise<boolean> {
    const before = await localTable.table.get(keys.user(row.id), { consistent: true });
    if (
      (await captureRefusedItems(localTable.table.transact([users.buildFinishPass(row, { ...row, ...after })]))) ===
      undefined
    )
      return true;
    expect(await localTable.table.get(keys.user(row.id), { consistent: true })).toEqual(before);
    return false;
  }

  test('stores its results, increments the fence, and changes nothing else', async () => {
    const row = await inserted();
    const after: PassResult = {
      lastSyncMs: 5,
      lastScoreMs: 6,
      scoreGeneration: 7,
      mergeRule: 2,
      scores: {
        ...waitingUntil(dueMs),
        unannounced: { scores: ['strain_score'], from: '2026-03-10', to: '2026-03-10' },
      },
      lastUploads: { dev_a: { upload: 'bat_a', receivedMs: 4 } },
    };
    expect(await passes(row, after)).toBe(true);
    expect(await read(row)).toEqual({ ...row, ...after, fence: 1 });
  });

  test('of a stale writer is refused', async () => {
    const row = await inserted();
    expect(await passes(row, { lastSyncMs: 1 })).toBe(true);
    expect(await passes(row, { lastSyncMs: 2 })).toBe(false);
    expect(await passes({ ...row, fence: 2 })).toBe(false);
    expect(await passes(await read(row), { lastSyncMs: 3 })).toBe(true);
    expect(await read(row)).toMatchObject({ fence: 2, lastSyncMs: 3 });
  });

  test('ends once when two end at the same time', async () => {
    const row = await inserted();
    const ends = await Promise.all(
      [1, 2].map((lastSyncMs) =>
        captureRefusedItems(localTable.table.transact([users.buildFinishPass(row, { ...row, lastSyncMs })])),
      ),
    );
    expect(ends.filter((each) => each === undefined)).toHaveLength(1);
    expect((await read(row)).fence).toBe(1);
  });

  describe('is refused when the user', () => {
    test('is being deleted, and the deletion stays pending', async () => {
      const row = await inserted();
      await localTable.table.transact(users.buildDelete(row, latestMs()));
      expect(await passes(row)).toBe(false);
    });
    test('does not exist, and creates no user', async () => {
      const row = newRow(freshId('account'));
      expect(await passes(row)).toBe(false);
      expect(await users.findById(row.id)).toBeUndefined();
    });
    test('stopped sharing, or shares again, because that decides what is published', async () => {
      const row = await inserted();
      await localTable.table.transact([users.buildUnshare(row, { sinceMs: 7, emailHash: 'hash' })]);
      expect(await passes(row)).toBe(false);
      const unshared = await read(row);
      await localTable.table.transact([users.buildReshare(unshared)]);
      expect(await passes(unshared)).toBe(false);
      expect(await passes(await read(row))).toBe(true);
    });
    test('had no zone and has one now', async () => {
      const row = await inserted({ timezone: null });
      await localTable.table.transact([users.buildFillTimeZone(row, 'Asia/Tokyo')]);
      expect(await passes(row)).toBe(false);
      expect(await passes(await read(row))).toBe(true);
      expect(await read(row)).toMatchObject({ timezone: 'Asia/Tokyo', fence: 1 });
    });
  });

  describe('is not refused by', () => {
    test('an update of the profile, or of an existing zone', async () => {
      const row = await inserted({ timezone: 'Europe/Berlin' });
      await localTable.table.transact(
        users.buildUpdate(row, { ...row, timezone: 'Asia/Tokyo', profile: { sex: 'male' } }),
      );
      expect(await passes(row, { lastSyncMs: 9 })).toBe(true);
      const after = { timezone: 'Asia/Tokyo', profile: { sex: 'male' }, revision: 1, fence: 1, lastSyncMs: 9 };
      expect(await read(row)).toMatchObject(after);
    });
    test('an update of a profile that still has no zone', async () => {
      const row = await inserted({ timezone: null });
      await localTable.table.transact(users.buildUpdate(row, { ...row, profile: { sex: 'male' } }));
      expect(await passes(row)).toBe(true);
    });
  });

  test('that built days prevents a device from filling in the zone', async () => {
    const row = await inserted({ timezone: null });
    expect(await passes(row)).toBe(true);
    expect(
      await captureRefusedItems(localTable.table.transact([users.buildFillTimeZone(row, 'Asia/Tokyo')])),
    ).toBeDefined();
    expect((await read(row)).timezone).toBeNull();
  });

  describe('leaves the user', () => {
    const pendingKeysOf = async ({ id }: UserRow) => {
      const { duePk, dueSk } = (await localTable.table.get(keys.user(id), { consistent: true })) ?? {};
      return { duePk, dueSk };
    };

    test('pending when scores wait, so that the sweep finds them when they are due', async () => {
      const row = await inserted();
      await passes(row, { scores: waitingUntil(dueMs) });
      expect(await pendingKeysOf(row)).toEqual(pendingIndexKeys('user', row.id, dueMs - messageGraceMs));
      await passes(await read(row), { scores: waitingUntil(0) });
      expect(await pendingKeysOf(row)).toEqual(pendingIndexKeys('user', row.id, 0));
      await passes(await read(row), {
        scores: { ...noPendingScores, previousFormulas: { from: '2026-03-10', dueMs } },
      });
      expect(await pendingKeysOf(row)).toEqual(pendingIndexKeys('user', row.id, dueMs - messageGraceMs));
    });
    test('not pending when nothing waits', async () => {
      const row = await inserted();
      await passes(row, { scores: waitingUntil(dueMs) });
      await passes(await read(row), { scores: noPendingScores });
      expect(await pendingKeysOf(row)).toEqual({ duePk: undefined, dueSk: undefined });
    });
  });
});
