import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalTable } from '../../../infra/local/local-table.ts';
import { writeConditionally } from '../../../shared/platform/conditional-write.ts';
import { EngineUnavailable, type Put, type Table } from '../../../shared/platform/ports.ts';
import { commitConditionally, openStore } from '../../../shared/system/store.ts';
import { onEveryEngine } from '../../harness/every-engine.ts';
import { startTable } from '../system/engines.ts';

const clock = { now: () => 0 };
const first = (sk: string, value: number): Put => ({
  kind: 'put',
  item: { pk: 'T', sk, value },
  condition: 'attribute_not_exists(#pk)',
});

onEveryEngine('a failed condition', (kind) => {
  let localTable: LocalTable;
  beforeAll(async () => {
    localTable = await startTable(kind);
  });
  afterAll(() => localTable.stop());

  test('of one write returns the stored item', async () => {
    expect(await writeConditionally(localTable.table, first('one', 1))).toEqual({ applied: true, item: undefined });
    const again = await writeConditionally(localTable.table, first('one', 2));
    expect(again).toEqual({ applied: false, item: { pk: 'T', sk: 'one', value: 1 } });
  });

  test('of one among several writes leaves all of them unwritten', async () => {
    const store = openStore(localTable.table, clock);
    expect(await commitConditionally(store, [first('two', 1)])).toBe(true);
    expect(await commitConditionally(store, [first('three', 1), first('two', 2)])).toBe(false);
    expect(await localTable.table.get({ pk: 'T', sk: 'three' })).toBeUndefined();
    expect(await localTable.table.get({ pk: 'T', sk: 'two' })).toMatchObject({ value: 1 });
  });

  test('is distinct from an unavailable engine', async () => {
    const away = async () => {
      throw new EngineUnavailable('away');
    };
    const table: Table = { ...localTable.table, write: away, transact: away };
    await expect(writeConditionally(table, first('four', 1))).rejects.toThrow(EngineUnavailable);
    await expect(commitConditionally(openStore(table, clock), [first('four', 1)])).rejects.toThrow(EngineUnavailable);
  });
});
