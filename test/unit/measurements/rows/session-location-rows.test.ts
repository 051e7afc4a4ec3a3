// Where sessions are stored, and what is deleted with them, on every engine.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalTable } from '../../../../infra/local/local-table.ts';
import { sessionLocationRows } from '../../../../shared/measurements/rows/session-location-rows.ts';
import { sessionRows } from '../../../../shared/measurements/rows/session-rows.ts';
import type { Store } from '../../../../shared/system/store.ts';
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

  test('finds the location of sessions by device, kind and source id, and forgets it with the device', async () => {
    const [user, locations] = ['usr_places', sessionLocationRows(store)];
    const long = `name~with#anything ${'x'.repeat(3_000)}`;
    await locations.put(user, 1, 'sleep', [
      { sourceId: 'a', dates: ['2026-03-10'] },
      { sourceId: long, dates: ['2026-03-10', '2026-04-10'] },
    ]);
    await locations.put(user, 11, 'sleep', [{ sourceId: 'a', dates: ['2026-03-12'] }]);
    const found = await locations.findBySourceIds(user, 1, 'sleep', ['a', long, 'b']);
    expect([...found.values()].map(({ dates }) => dates)).toEqual(
      expect.arrayContaining([['2026-03-10'], ['2026-03-10', '2026-04-10']]),
    );
    expect(found.size).toBe(2);
    expect((await locations.findBySourceIds(user, 1, 'workouts', ['a'])).size).toBe(0);
    await locations.removeByDevice(user, 1);
    expect((await locations.findBySourceIds(user, 1, 'sleep', ['a', long])).size).toBe(0);
    expect((await locations.findBySourceIds(user, 11, 'sleep', ['a'])).size).toBe(1);
  });

  test('has no trace of a deleted workout, unless the write of its day was rejected', async () => {
    const [user, date] = ['usr_traces', '2026-03-10'];
    const rows = sessionRows(store);
    const traces = [{ workout: 'wrk_a', name: 'n', points: [{ atMs: 1, bpm: 60 }] }];
    expect(await rows.workouts.replace(user, { date, sessions: [], revision: 0 }, traces)).toBe(true);
    expect(await rows.workouts.replace(user, { date, sessions: [], revision: 0 }, [], ['wrk_a'])).toBe(false);
    expect(await rows.findTrace(user, 'wrk_a')).toEqual([{ atMs: 1, bpm: 60 }]);
    expect(await rows.workouts.replace(user, { date, sessions: [], revision: 1 }, [], ['wrk_a', 'wrk_b'])).toBe(true);
    expect(await rows.findTrace(user, 'wrk_a')).toBeNull();
  });
});
