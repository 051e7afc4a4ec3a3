import { expect, test } from 'vitest';
import { keys } from '../../../shared/system/keys.ts';
import { type SeedRow, seedRows } from '../../../shared/users/seed-rows.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { storeOn } from '../../harness/store-on.ts';

const row: SeedRow & { nextMs: number } = {
  zone: null,
  persona: 'athlete',
  days: 7,
  lifeSeed: null,
  devices: null,
  history: null,
  fedMs: null,
  nextMs: 5_000,
  pushedMs: {},
};

test('an erased sandbox user is not fed, and nothing is written for it', async () => {
  const table = memoryTable();
  const seeds = seedRows(storeOn(table));
  expect(await seeds.claim('usr_a', 5_000, 9_000)).toBeUndefined();
  expect([await seeds.recordFeed('usr_a', row, row), await seeds.end('usr_a', row, row)]).toEqual([false, false]);
  expect(await table.get(keys.seed('usr_a'))).toBeUndefined();
});

test('one worker feeds a sandbox user at a time, and another one after the lease of the first has expired', async () => {
  const table = memoryTable();
  const seeds = seedRows(storeOn(table));
  await table.transact([seeds.buildInsert('usr_a', row)]);
  expect(await seeds.claim('usr_a', 5_000, 9_000)).toEqual({ seed: row, isRetry: false });
  expect(await seeds.claim('usr_a', 8_999, 12_000)).toBeUndefined();
  expect(await seeds.claim('usr_a', 9_000, 12_000)).toEqual({ seed: row, isRetry: true });
  expect(await seeds.recordFeed('usr_a', row, { ...row, nextMs: 9_500 })).toBe(true);
  expect(await seeds.claim('usr_a', 9_600, 12_000)).toEqual({ seed: { ...row, nextMs: 9_500 }, isRetry: false });
});

test('a device that is connected during a feed is fed at its time', async () => {
  const table = memoryTable();
  const seeds = seedRows(storeOn(table));
  await table.transact([seeds.buildInsert('usr_a', row)]);
  await seeds.claim('usr_a', 5_000, 9_000);
  await table.transact([seeds.buildWake('usr_a', 6_000)]);
  const done = { devices: { ring: 'dev_a' }, fedMs: 5_000, pushedMs: { dev_a: 5_000 } };
  expect(await seeds.recordFeed('usr_a', row, { ...row, ...done, nextMs: 99_000 })).toBe(false);
  // Devices that were created are not created again.
  const seed = { ...row, ...done, nextMs: 6_000 };
  expect(await seeds.claim('usr_a', 6_000, 9_000)).toEqual({ seed, isRetry: false });
});
