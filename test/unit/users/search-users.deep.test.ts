import { expect, test } from 'vitest';
import { compareSearchCosts } from './searched-people.ts';

test('a search among 100,000 people costs what it costs among few', async () => {
  const { few, many } = await compareSearchCosts(100_000);
  expect(many).toEqual(few);
}, 300_000);
