import { expect, test } from 'vitest';
import { keys } from '../../../shared/system/keys.ts';
import { type SeedRow, seedRows } from '../../../shared/users/seed-rows.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { storeOn } from '../../harness/store-on.ts';

const row: SeedRow & { nextMs: number } = {
  zone: null,
  persona: 'athlete',
  devices: null,
  fedMs: null,
  nextMs: 5_000,
  pushedMs: {},
};

test('a sandbox user that was erased is fed no more: nothing of it is written', async () => {
  const table = memoryTable();
  const seeds = seedRows(storeOn(table));
  expect(await seeds.claim('usr_a', 5_000, 9_000)).toBeUndefined();
  expect([await seeds.recordFeed('usr_a', row, row), await seeds.end('usr_a', row, row)]).toEqual([false, false]);
  expect(await table.get(keys.seed('usr_a'))).toBeUndefined();
});

test('one worker feeds it at a time, and another when that one was gone for long', async () => {
  const table = memoryTable();
  const seeds = seedRows(storeOn(table));
  await table.transact([seeds.buildInsert('usr_a', row)]);
  expect(await seeds.claim('usr_a', 5_000, 9_000)).toEqual({ seed: row, isRetry: false });
  expect(await seeds.claim('usr_a', 8_999, 12_000)).toBeUndefined();
  expect(await seeds.claim('usr_a', 9_000, 12_000)).toEqual({ seed: row, isRetry: true });
  expect(await seeds.recordFeed('usr_a', row, { ...row, nextMs: 9_500 })).toBe(true);
  expect(await seeds.claim('usr_a', 9_600, 12_000)).toEqual({ seed: { ...row, nextMs: 9_500 }, isRetry: false });
});

test('what was connected while it was fed is not slept over', async () => {
  const table = memoryTable();
  const seeds = seedRows(storeOn(table));
  await table.transact([seeds.buildInsert('usr_a', row)]);
  await seeds.claim('usr_a', 5_000, 9_000);
  await table.transact([seeds.buildWake('usr_a', 6_000)]);
  const done = { devices: { ring: 'dev_a' }, fedMs: 5_000, pushedMs: { dev_a: 5_000 } };
  expect(await seeds.recordFeed('usr_a', row, { ...row, ...done, nextMs: 99_000 })).toBe(false);
  // The devices that were made are not made again.
  const seed = { ...row, ...done, nextMs: 6_000 };
  expect(await seeds.claim('usr_a', 6_000, 9_000)).toEqual({ seed, isRetry: false });
});
