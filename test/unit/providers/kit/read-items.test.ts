import { expect, test } from 'vitest';
import * as z from 'zod';
import { keepLastPerKey, readItems } from '../../../../shared/providers/kit/read-items.ts';
import { RecordBuilder } from '../../../../shared/providers/kit/record-builder.ts';

const Item = z.looseObject({ id: z.string(), steps: z.number().nullish() });

test('an invalid item is rejected with its path, and the other items are read', () => {
  const builder = new RecordBuilder({ receivedMs: 0 });
  const read = readItems(builder, 'days', [{ id: 'a', steps: 4 }, { id: 7 }, null, { id: 'b' }], Item);
  expect(read.map(({ path, item }) => [path, item.id])).toEqual([
    ['days.0', 'a'],
    ['days.3', 'b'],
  ]);
  expect(builder.result.rejected.first.map(({ path, code }) => [path, code])).toEqual([
    ['days.1.id', 'invalid_record'],
    ['days.2', 'invalid_record'],
  ]);
});

test('a missing list has no items, and any other value in its place is rejected', () => {
  const builder = new RecordBuilder({ receivedMs: 0 });
  expect(readItems(builder, 'days', undefined, Item)).toEqual([]);
  expect(readItems(builder, 'days', null, Item)).toEqual([]);
  expect(builder.result.rejected.count).toBe(0);
  expect(readItems(builder, 'days', { id: 'a' }, Item)).toEqual([]);
  expect(builder.result.rejected).toMatchObject({ count: 1, first: [{ path: 'days', code: 'invalid_record' }] });
});

test('an unreadable item retracts nothing, while an implausible value does not prevent it', () => {
  const days = { from: '2026-03-10', to: '2026-03-10', sleep: true } as const;
  const receivedMs = Date.parse('2026-03-12');
  const complete = new RecordBuilder({ receivedMs });
  complete.claimCoverage(days);
  complete.addDaily('steps', 'steps', '2026-03-10', 1e9);
  expect(complete.result.rejected.count).toBe(1);
  expect(complete.result.records.covered).toEqual([days]);
  for (const spoil of [
    (builder: RecordBuilder) => readItems(builder, 'days', [5], Item),
    (builder: RecordBuilder) => builder.addSleep('night', { startMs: 5, endMs: 4, offsetMinutes: null }),
    (builder: RecordBuilder) =>
      builder.addSleep('night', {
        startMs: receivedMs - 3_600_000,
        endMs: receivedMs,
        offsetMinutes: null,
        deepMinutes: 900,
      }),
  ]) {
    const partial = new RecordBuilder({ receivedMs });
    partial.claimCoverage(days);
    spoil(partial);
    expect(partial.result.rejected.count).toBe(1);
    expect(partial.result.records.covered).toBeUndefined();
  }
});

test('the last of several items with one key is stored', () => {
  const items = ['a1', 'b1', 'a2'].map((item) => ({ path: item, item }));
  expect(keepLastPerKey(items, (item) => item.slice(0, 1)).map(({ item }) => item)).toEqual(['a2', 'b1']);
});
