import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LocalTable } from '../../../../infra/local/local-table.ts';
import { dayRows } from '../../../../shared/measurements/rows/day-rows.ts';
import { keys } from '../../../../shared/system/keys.ts';
import { storeOn } from '../../../harness/store-on.ts';
import { startTable } from '../../system/engines.ts';

const date = '2026-03-10';

let localTable: LocalTable;
let days: ReturnType<typeof dayRows>;
beforeAll(async () => {
  localTable = await startTable();
  days = dayRows(storeOn(localTable.table));
});
afterAll(() => localTable.stop());

test.each([
  ['the same', 5, 3, true],
  ['newer days', 6, 3, true],
  ['newer settings', 5, 4, true],
  ['older days', 4, 3, false],
  ['older days and newer settings', 4, 4, false],
  ['newer days and older settings', 6, 2, false],
])('a canonical day rebuilt from %s (%d, %d) is stored: %s', async (label, revisionSum, generation, expected) => {
  const user = `usr_${label}`;
  const before = { date, packed: Uint8Array.of(1), revisionSum: 5, generation: 3, mergeRule: 1 };
  const after = { date, packed: Uint8Array.of(2), revisionSum, generation, mergeRule: 2 };
  expect(await days.replaceCanonical(user, before)).toBe(true);
  expect(await days.replaceCanonical(user, after)).toBe(expected);
  expect((await days.readCanonical(user, [date])).get(date)).toEqual(expected ? after : before);
});

test('a canonical day without the version of its merge rules is an error, not a day of the first ones', async () => {
  const day = { date, packed: Uint8Array.of(1), revisionSum: 1, generation: 1, mergeRule: 1 };
  await days.replaceCanonical('usr_old', day);
  await localTable.table.write({
    kind: 'update',
    key: keys.canonicalDay('usr_old', date),
    update: 'REMOVE #m',
    values: {},
  });
  await expect(days.readCanonical('usr_old', [date])).rejects.toThrow('"m"');
});

test('a normalized day is replaced only if unchanged since it was read', async () => {
  const change = (byte: number, revision: number) =>
    days.replaceNormalized('usr_a', date, Uint8Array.of(byte), revision);
  expect(await change(1, 1)).toBe(false);
  expect(await change(1, 0)).toBe(true);
  expect(await change(2, 0)).toBe(false);
  expect(await change(2, 1)).toBe(true);
  expect(await change(3, 1)).toBe(false);
  const stored = (await days.readNormalized('usr_a', [date])).get(date);
  expect(stored).toEqual({ date, packed: Uint8Array.of(2), revision: 2 });
});
