import { expect, test } from 'vitest';
import { keys } from '../../../shared/store/keys.ts';
import { seedRows } from '../../../shared/store/seeds.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { storeOn } from '../../harness/store-on.ts';

test('a sandbox user that was erased is fed no more: nothing of it is written', async () => {
  const table = memoryTable();
  const seeds = seedRows(storeOn(table));
  const row = { zone: null, persona: 'athlete', devices: null, fedMs: null, nextMs: 5_000 } as never;
  expect([await seeds.fed('usr_a', row), await seeds.end('usr_a', row)]).toEqual([false, false]);
  expect(await table.get(keys.seed('usr_a'))).toBeUndefined();
});
