// An error repeats only a bounded part of the request.
import { expect, test } from 'vitest';
import { form2Events } from '../../../shared/events/present-feed.ts';
import { form2Daily } from '../../../shared/reads/daily/form-2.ts';
import { Failure } from '../../../shared/system/failure.ts';

const long = 'x'.repeat(1_000);
function refusal(ask: () => unknown): Failure {
  try {
    ask();
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error('the request was not rejected');
}

test('an unknown metric id is repeated up to 64 characters', () => {
  const { message, details } = refusal(() => form2Daily.parse({ types: `${long},steps`, include_sources: false }));
  expect(details).toEqual({ types: ['x'.repeat(64)] });
  expect(message).not.toContain('x'.repeat(65));
});

test('unknown event types are repeated up to twenty, each up to 64 characters', () => {
  const types = Array.from({ length: 30 }, (_none, n) => `${n}${long}`).join(',');
  const { details } = refusal(() => form2Events.parse({ limit: 1, types }));
  expect(details).toEqual({ types: Array.from({ length: 20 }, (_none, n) => `${n}${long}`.slice(0, 64)) });
});
