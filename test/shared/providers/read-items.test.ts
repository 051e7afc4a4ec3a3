import { expect, test } from 'vitest';
import * as z from 'zod';
import { Gathering } from '../../../shared/providers/gathering.ts';
import { lastOfEach, readItems } from '../../../shared/providers/read-items.ts';

const Item = z.looseObject({ id: z.string(), steps: z.number().nullish() });

test('a bad item is a rejection with its place, and the others are read', () => {
  const gathering = new Gathering({ receivedMs: 0 });
  const read = readItems(gathering, 'days', [{ id: 'a', steps: 4 }, { id: 7 }, null, { id: 'b' }], Item);
  expect(read.map(({ path, item }) => [path, item.id])).toEqual([
    ['days.0', 'a'],
    ['days.3', 'b'],
  ]);
  expect(gathering.result.rejected.first.map(({ path, code }) => [path, code])).toEqual([
    ['days.1.id', 'invalid_record'],
    ['days.2', 'invalid_record'],
  ]);
});

test('what is no list has no items', () => {
  const gathering = new Gathering({ receivedMs: 0 });
  expect(readItems(gathering, 'days', { id: 'a' }, Item)).toEqual([]);
  expect(gathering.result.rejected.count).toBe(0);
});

test('of several with one key the last is kept', () => {
  const items = ['a1', 'b1', 'a2'].map((item) => ({ path: item, item }));
  expect(lastOfEach(items, (item) => item.slice(0, 1)).map(({ item }) => item)).toEqual(['a2', 'b1']);
});
