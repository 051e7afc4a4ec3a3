import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TablePlace } from '../../../infra/local/local-table.ts';
import { TransactionRefused } from '../../../shared/engine/ports.ts';
import { keys } from '../../../shared/store/keys.ts';
import { owedRows } from '../../../shared/store/owed.ts';
import { type RunProgress, type ScoreRun, scoreRunRows } from '../../../shared/store/score-runs.ts';
import type { Store } from '../../../shared/store/store.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from './engines.ts';

const nothingDone: RunProgress = { announced: null, rescored: null, formerFrom: null };

onEveryEngine('the store', (kind) => {
  let place: TablePlace;
  let store: Store;
  let runs: ReturnType<typeof scoreRunRows>;
  let user: string;
  let users = 0;
  beforeAll(async () => {
    place = await startTable(kind);
    store = storeOn(place.table);
    runs = scoreRunRows(store);
  });
  afterAll(() => place.stop());
  beforeEach(async () => {
    user = `usr_${++users}`;
    await place.table.write({ kind: 'put', item: { ...keys.user(user), status: 'active' } });
  });
  const take = (lease: string, read: ScoreRun | undefined, nowMs: number) =>
    runs.lease(user, lease, read, { nowMs, untilMs: nowMs + 90_000 });

  describe('the lease of a run', () => {
    test('is one worker’s until it runs out, the first time and every other', async () => {
      expect(await take('one', undefined, 1_000)).toBe(true);
      expect(await take('two', undefined, 1_000)).toBe(false);
      const read = await runs.run(user);
      expect(await take('two', read, 90_999)).toBe(false);
      expect(await take('two', read, 91_000)).toBe(true);
      expect(await take('three', read, 91_000)).toBe(false);
    });

    test('is its own also when the first answer was lost', async () => {
      await take('one', undefined, 1_000);
      const read = await runs.run(user);
      expect([await take('two', read, 91_000), await take('two', read, 91_000)]).toEqual([true, true]);
    });

    test('is nobody’s who read the run before another had it', async () => {
      await take('one', undefined, 1_000);
      await store.commit([runs.pausing(user, 'one', nothingDone)]);
      const read = await runs.run(user);
      for (const lease of ['two', 'three']) {
        expect(await take(lease, await runs.run(user), 2_000)).toBe(true);
        if (lease === 'two') await store.commit([runs.pausing(user, lease, nothingDone)]);
        else await runs.release(user, lease);
        expect(await take('late', read, 3_000)).toBe(false);
      }
      expect(await take('late', await runs.run(user), 3_000)).toBe(true);
    });

    test('is not given for a user who is being deleted, and brings nobody back who is gone', async () => {
      await place.table.write({ kind: 'put', item: { ...keys.user(user), status: 'deleting' } });
      expect(await take('one', undefined, 1_000)).toBe(false);
      await place.table.write({ kind: 'put', item: { ...keys.user(user), status: 'active' } });
      await take('one', undefined, 1_000);
      const read = await runs.run(user);
      await place.table.write({ kind: 'delete', key: keys.scoreRun(user) });
      expect(await take('two', read, 91_000)).toBe(false);
      expect(await runs.run(user)).toBeUndefined();
    });

    test('is given back by its holder, and by nobody else', async () => {
      await take('one', undefined, 1_000);
      await runs.release(user, 'two');
      expect(await runs.run(user)).toMatchObject({ claim: 'one', claimedUntilMs: 91_000 });
      await runs.release(user, 'one');
      expect(await runs.run(user)).toMatchObject({ claimedUntilMs: 0 });
    });

    test('lets only its holder write, and keeps what was done', async () => {
      await take('one', undefined, 1_000);
      const progress: RunProgress = {
        announced: { scores: ['sleep_score'], from: '2026-01-01', to: '2026-01-02' },
        rescored: { before: '2026-01-03', generation: 2 },
        formerFrom: '2026-01-01',
      };
      await expect(store.commit([runs.holding(user, 'two', progress, 95_000)])).rejects.toThrow(TransactionRefused);
      await store.commit([runs.holding(user, 'one', progress, 95_000)]);
      expect(await runs.run(user)).toMatchObject({ ...progress, claim: 'one', claimedUntilMs: 95_000, lastRunMs: 0 });
      await store.commit([runs.finishing(user, 'one', '2026-01-02', 5_000)]);
      expect(await runs.run(user)).toMatchObject({
        ...nothingDone,
        formerFrom: '2026-01-02',
        claimedUntilMs: 0,
        lastRunMs: 5_000,
      });
    });
  });

  test('what is asked for once is left alone by whoever asks again, and goes only as it was read', async () => {
    const ask = { from: '2026-01-01', to: '2026-01-02', asked: 'first' };
    await store.commit([runs.askingOnce(user, ask, 1)]);
    await expect(store.commit([runs.askingOnce(user, { ...ask, asked: 'second' }, 1)])).rejects.toThrow();
    expect(await runs.asked(user, 9)).toEqual([ask]);
    await store.commit([runs.asking(user, { ...ask, asked: 'third' }, 1)]);
    await expect(store.commit([runs.answering(user, ask)])).rejects.toThrow(TransactionRefused);
    await store.commit([runs.answering(user, { ...ask, asked: 'third' })]);
    expect(await runs.asked(user, 9)).toEqual([]);
  });

  test('what waits is due when its time comes; data of the same days makes it due before, and settings stay settings', async () => {
    const days = { from: '2026-01-01', to: '2026-01-02' };
    const swept = async (nowMs: number) => (await owedRows(store).before('score', nowMs, { atMost: 1_000 })).owed;
    const isSwept = async (nowMs: number) => (await swept(nowMs)).some(({ owner }) => owner === user);
    await store.commit([runs.asking(user, { ...days, asked: 'first', atOnce: true }, 1)]);
    await store.commit([runs.asking(user, { ...days, asked: 'second' }, 2)]);
    const [read] = await runs.asked(user, 9);
    expect(read).toEqual({ ...days, asked: 'second', atOnce: true });
    const waiting = runs.awaiting(user, { ...days, asked: 'third' }, read, 5_000, 4_000);
    await store.commit([waiting]);
    await expect(store.commit([waiting])).rejects.toThrow(TransactionRefused);
    const fresh = runs.awaiting(user, { ...days, asked: 'fourth' }, undefined, 5_000, 4_000);
    await expect(store.commit([fresh])).rejects.toThrow(TransactionRefused);
    expect(await runs.asked(user, 9)).toEqual([{ ...days, asked: 'third', held: true, wakeMs: 5_000 }]);
    expect([await isSwept(3_999), await isSwept(4_001)]).toEqual([false, true]);
    await store.commit([runs.asking(user, { ...days, asked: 'fifth' }, 3)]);
    expect(await runs.asked(user, 9)).toEqual([{ ...days, asked: 'fifth', wakeMs: 5_000 }]);
    expect(await isSwept(4)).toBe(true);
  });
});
