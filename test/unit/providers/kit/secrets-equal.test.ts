import { expect, test } from 'vitest';
import { secretsEqual } from '../../../../shared/providers/kit/secrets-equal.ts';

test('only an equal secret matches, and nothing matches a missing secret', () => {
  expect(secretsEqual('s3cret', 's3cret')).toBe(true);
  expect(secretsEqual('s3creT', 's3cret')).toBe(false);
  expect(secretsEqual('s3cret ', 's3cret')).toBe(false);
  expect(secretsEqual('', '')).toBe(false);
  expect(secretsEqual(undefined, undefined)).toBe(false);
  expect(secretsEqual('s3cret', undefined)).toBe(false);
});
