import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TablePlace } from '../../../infra/local/local-table.ts';
import { type DueKind, dueShards } from '../../../shared/system/due.ts';
import { owedRows } from '../../../shared/system/owed-rows.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { owing } from '../../harness/owed.ts';
import { storeOn } from '../../harness/store-on.ts';
import { startTable } from './engines.ts';

onEveryEngine('what is owed', (engine) => {
  let place: TablePlace;
  beforeAll(async () => {
    place = await startTable(engine);
  });
  afterAll(() => place.stop());

  const now = Date.UTC(2026, 2, 10);
  const owe = (kind: DueKind, owners: readonly string[]) =>
    place.table.batchWrite(owners.map((owner, index) => owing(kind, owner, now - 1_000 + index)));

  test('is read on from where a look ended, also when some parts of the index are at their end', async () => {
    const rows = owedRows(storeOn(place.table));
    // All but the last few stand in one part.
    const crowded = Array.from({ length: 30 }, (_none, index) => `${index} of one part`);
    const owners = [...crowded, 'aa', 'ab', 'ac', 'ad'];
    await owe('person', owners);
    const seen: string[] = [];
    let looks = 0;
    for (let from: string[] | undefined, first = true; first || from; first = false) {
      const { owed, rest } = await rows.before('person', now, { atMost: 5 * dueShards, from });
      expect(owed.length).toBeLessThanOrEqual(5 * dueShards);
      seen.push(...owed.map(({ owner }) => owner));
      from = rest;
      looks++;
    }
    expect(seen.filter((owner) => crowded.includes(owner))).toEqual(crowded);
    expect([...seen].sort()).toEqual([...owners].sort());
    expect(looks).toBe(6);
  });

  test('is remembered between looks until everything was seen', async () => {
    const rows = owedRows(storeOn(place.table));
    expect(await rows.sweptTo('mail')).toBeUndefined();
    await rows.sweepOn('mail', ['a', '~']);
    expect([await rows.sweptTo('mail'), await rows.sweptTo('seed')]).toEqual([['a', '~'], undefined]);
    await rows.sweepOn('mail', undefined);
    expect(await rows.sweptTo('mail')).toBeUndefined();
  });

  test('of one kind is not of another, and what begins later is not there yet', async () => {
    const rows = owedRows(storeOn(place.table));
    await owe('seed', ['aa', 'ab']);
    expect((await rows.before('sandbox', now, { atMost: 100 })).owed).toEqual([]);
    const { owed } = await rows.before('seed', now - 999, { atMost: 100 });
    expect(owed).toEqual([{ owner: 'aa', key: { pk: 'OWED#aa', sk: 'seed' }, sinceMs: now - 1_000 }]);
    expect([await rows.oldest('seed'), await rows.oldest('sandbox')]).toEqual([now - 1_000, undefined]);
  });
});
