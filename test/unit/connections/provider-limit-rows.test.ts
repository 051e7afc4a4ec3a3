import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { providerLimitRows } from '../../../shared/connections/provider-limit-rows.ts';
import { openStore } from '../../../shared/system/store.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { startTable } from '../system/engines.ts';

onEveryEngine('provider limits', (kind) => {
  let localTable: LocalTable;
  beforeAll(async () => {
    localTable = await startTable(kind);
  });
  afterAll(() => localTable.stop());
  const rows = () => providerLimitRows(openStore(localTable.table, { now: () => 0 }));

  test('20 concurrent draws get what is available and no more', async () => {
    const limits = [{ name: 'one', burst: 12, intervalMs: 1_000 }];
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => rows().draw(limits, 3, 1_000_000)));
    expect(outcomes.filter(({ drawn }) => drawn)).toHaveLength(4);
  });

  test('several limits are drawn from together or not at all', async () => {
    const wide = { name: 'wide', burst: 10, intervalMs: 1_000 };
    const narrow = { name: 'narrow', burst: 2, intervalMs: 60_000 };
    expect(await rows().draw([wide, narrow], 2, 1_000_000)).toEqual({ drawn: true });
    expect(await rows().draw([wide, narrow], 2, 1_000_000)).toEqual({ drawn: false, retryMs: 1_120_000, turn: 'free' });
    expect(await rows().draw([wide], 8, 1_000_000)).toEqual({ drawn: true });
    expect(await rows().draw([wide], 1, 1_000_000)).toEqual({ drawn: false, retryMs: 1_001_000, turn: 'free' });
  });

  test('a blocked provider is not called, and a second block never shortens the first', async () => {
    const limit = { name: 'held', burst: 10, intervalMs: 1_000 };
    await rows().blockUntil(limit, 1_500_000);
    await rows().blockUntil(limit, 1_200_000);
    expect(await rows().draw([limit], 1, 1_499_999)).toEqual({ drawn: false, retryMs: 1_500_000, turn: 'free' });
    expect(await rows().draw([limit], 1, 1_500_000)).toEqual({ drawn: true });
  });

  test('a turn is promised at most six hours ahead', async () => {
    const limits = [{ name: 'long line', burst: 1, intervalMs: 3_600_000 }];
    const [now, hourMs] = [1_000_000, 3_600_000];
    const retries: (number | string)[] = [];
    for (let at = 0; at < 9; at++) {
      const outcome = await rows().draw(limits, 1, now, 'none');
      if (!outcome.drawn) retries.push((outcome.retryMs - now) / hourMs, outcome.turn);
    }
    const promised = [1, 2, 3, 4, 5, 6].flatMap((hours) => [hours, 'come']);
    expect(retries).toEqual([...promised, 6, 'none', 6, 'none']);
  });

  test('a rejected draw gets a time of its own, which others cannot take', async () => {
    const limits = [{ name: 'line', burst: 4, intervalMs: 1_000 }];
    const now = 1_000_000;
    const draw = (turn: 'none' | 'come' | 'late', ms: number) => rows().draw(limits, 2, ms, turn);
    expect([await draw('none', now), await draw('none', now)]).toEqual([{ drawn: true }, { drawn: true }]);
    const refused = await Promise.all([1, 2, 3].map(() => draw('none', now)));
    expect(refused.map((each) => !each.drawn && each.retryMs).sort()).toEqual([1_002_000, 1_004_000, 1_006_000]);
    expect(await draw('none', now + 2_000)).toEqual({ drawn: false, retryMs: 1_008_000, turn: 'come' });
    expect(await draw('come', now + 2_000)).toEqual({ drawn: true });
    // A turn that finds nothing left, because others needed more than expected, becomes late and
    // goes before the other turns.
    expect(await draw('come', now + 2_000)).toEqual({ drawn: false, retryMs: 1_004_000, turn: 'late' });
    expect(await draw('come', now + 4_000)).toEqual({ drawn: false, retryMs: 1_006_000, turn: 'late' });
    expect(await draw('late', now + 4_000)).toEqual({ drawn: true });
  });

  test('an unconditional draw counts even when nothing is left, and later draws wait longer', async () => {
    const limits = [
      { name: 'taken', burst: 2, intervalMs: 1_000 },
      { name: 'taken too', burst: 5, intervalMs: 1_000 },
    ];
    await Promise.all(Array.from({ length: 6 }, () => rows().drawUnconditionally(limits, 1, 1_000_000)));
    expect(await rows().draw(limits, 1, 1_000_000)).toEqual({ drawn: false, retryMs: 1_005_000, turn: 'free' });
    expect(await rows().draw(limits, 1, 1_005_000)).toEqual({ drawn: true });
    await rows().drawUnconditionally(limits, 1, 2_000_000);
    expect(await rows().draw(limits, 2, 2_000_000)).toEqual({ drawn: false, retryMs: 2_001_000, turn: 'free' });
  });
});
