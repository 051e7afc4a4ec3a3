// What is kept of uploads and of where sessions stand, on every engine.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TablePlace } from '../../../infra/local/local-table.ts';
import { batchRows } from '../../../shared/store/batches.ts';
import { keptUploads } from '../../../shared/store/kept-uploads.ts';
import { keys } from '../../../shared/store/keys.ts';
import { sessionPlaces } from '../../../shared/store/session-places.ts';
import { sessionRows } from '../../../shared/store/sessions.ts';
import type { Store } from '../../../shared/store/store.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from './engines.ts';

const upload = {
  device: 'dev_a',
  receivedMs: 1_773_230_400_000,
  source: 'oura',
  format: 1,
  timeZone: null,
  scopes: ['daily'],
  records: 2,
  from: '2026-03-10',
  to: '2026-03-11',
};
const bytes = (length: number) => new Uint8Array(length).fill(7);

onEveryEngine('what is kept', (kind) => {
  let place: TablePlace;
  let store: Store;
  beforeAll(async () => {
    place = await startTable(kind);
    store = storeOn(place.table);
  });
  afterAll(() => place.stop());

  test('of a device’s uploads is listed in the order of arrival, and found by its name', async () => {
    const user = 'usr_kept';
    const keep = (batch: string, about: Partial<typeof upload>, length = 10) =>
      batchRows(store).keepRaw({ ...upload, ...about, user, batch, raw: bytes(length) });
    await keep('bat_b', {}, 500_000);
    await keep('bat_a', { receivedMs: upload.receivedMs + 5 });
    await keep('bat_c', { device: 'dev_b' });
    await keptUploads(store).arrived(user, 'bat_b', upload.receivedMs + 9);
    await keptUploads(store).arrived(user, 'bat_none', 1);
    expect(await store.table.get(keys.raw(user, 'bat_none', 0))).toBeUndefined();
    await keep('bat_aside', {});
    const aside = { ...(await store.table.get(keys.raw(user, 'bat_aside', 0))), ...keys.raw(user, 'bat_aside', 0) };
    const { ttl: _ttl, ...forGood } = { ttl: 0, ...aside };
    await store.table.write({ kind: 'put', item: forGood });
    const kept = await keptUploads(store).of(user, 'dev_a', upload.receivedMs);
    const [a, b] = [
      { ...upload, batch: 'bat_a', pieces: 1, receivedMs: upload.receivedMs + 5 },
      { ...upload, batch: 'bat_b', pieces: 2, receivedMs: upload.receivedMs + 9 },
    ];
    expect(kept).toEqual([a, b]);
    expect(await keptUploads(store).named(user, ['bat_b', 'bat_gone', 'bat_a'])).toEqual([b, a]);
    const monthLater = upload.receivedMs + 31 * 24 * 3_600_000;
    expect(await keptUploads(store).of(user, 'dev_a', monthLater)).toEqual([]);
  });

  test('of a replay is what is left of it, and another worker’s note refuses to go on', async () => {
    const user = 'usr_replay';
    await store.commit([batchRows(store).owingReplay(user, 'dev_a', 'bat_r', 1, ['a', 'b', 'c'])]);
    const [row] = await batchRows(store).waiting(user, 9);
    if (!row) throw new Error('nothing waits');
    expect(row).toMatchObject({ replays: ['a', 'b', 'c'], replayed: 0, pieces: 0 });
    await store.commit([batchRows(store).replayingOn(user, row, ['c'])]);
    expect(await batchRows(store).waiting(user, 9)).toMatchObject([{ replays: ['c'], replayed: 2, changed: null }]);
    await expect(store.commit([batchRows(store).replayingOn(user, row, [])])).rejects.toThrow();
  });

  test('of where sessions stand is told by device, kind and name, and goes with its device', async () => {
    const [user, places] = ['usr_places', sessionPlaces(store)];
    const long = `name~with#anything ${'x'.repeat(3_000)}`;
    await places.put(user, 1, 'sleep', [
      { sourceId: 'a', dates: ['2026-03-10'] },
      { sourceId: long, dates: ['2026-03-10', '2026-04-10'] },
    ]);
    await places.put(user, 11, 'sleep', [{ sourceId: 'a', dates: ['2026-03-12'] }]);
    const found = await places.of(user, 1, 'sleep', ['a', long, 'b']);
    expect([...found.values()].map(({ dates }) => dates)).toEqual(
      expect.arrayContaining([['2026-03-10'], ['2026-03-10', '2026-04-10']]),
    );
    expect(found.size).toBe(2);
    expect((await places.of(user, 1, 'workouts', ['a'])).size).toBe(0);
    await places.removeAll(user, 1);
    expect((await places.of(user, 1, 'sleep', ['a', long])).size).toBe(0);
    expect((await places.of(user, 11, 'sleep', ['a'])).size).toBe(1);
  });

  test('of a workout that is gone is no trace, unless its day was refused', async () => {
    const [user, date] = ['usr_traces', '2026-03-10'];
    const rows = sessionRows(store);
    const traces = [{ workout: 'wrk_a', name: 'n', points: [{ atMs: 1, bpm: 60 }] }];
    expect(await rows.workouts.replace(user, { date, sessions: [], revision: 0 }, traces)).toBe(true);
    expect(await rows.workouts.replace(user, { date, sessions: [], revision: 0 }, [], ['wrk_a'])).toBe(false);
    expect(await rows.trace(user, 'wrk_a')).toEqual([{ atMs: 1, bpm: 60 }]);
    expect(await rows.workouts.replace(user, { date, sessions: [], revision: 1 }, [], ['wrk_a', 'wrk_b'])).toBe(true);
    expect(await rows.trace(user, 'wrk_a')).toBeNull();
  });
});
