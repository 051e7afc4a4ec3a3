import { expect, test } from 'vitest';
import { createResponseTally } from '../../../shared/accounts/response-tally.ts';

test('a request is counted with its admission, and responses with the next one', () => {
  const tally = createResponseTally(10);
  expect(tally.take('a')).toMatchObject({ values: { zero: 0, requests: 1 } });
  for (const status of [200, 304, 401, 404, 400, 429, 429, 500, 503]) tally.note('a', status);
  tally.note('b', 404);
  const { set, values } = tally.take('a');
  expect(values).toEqual({ zero: 0, requests: 1, clientErrors: 2, serverErrors: 2, limited: 2 });
  expect(set.split(', #').length).toBe(4);
  expect(tally.take('a').values).toEqual({ zero: 0, requests: 1 });
  expect(tally.take('b').values).toEqual({ zero: 0, requests: 1, clientErrors: 1 });
});

test('counts that could not be written stay, together with later ones', () => {
  const tally = createResponseTally(10);
  tally.note('a', 500);
  const taken = tally.take('a');
  tally.note('a', 502);
  taken.putBack();
  expect(tally.take('a').values).toEqual({ zero: 0, requests: 1, serverErrors: 2 });
});

test('the memory is bounded', () => {
  const tally = createResponseTally(2);
  for (const hash of ['a', 'b', 'c']) tally.note(hash, 404);
  expect(tally.take('a').values).toEqual({ zero: 0, requests: 1 });
  expect(tally.take('c').values).toEqual({ zero: 0, requests: 1, clientErrors: 1 });
});
