import { expect, test } from 'vitest';
import { sameSecret } from '../../../../shared/providers/kit/same-secret.ts';

test('only the very secret is let in, and where none is known nobody is', () => {
  expect(sameSecret('s3cret', 's3cret')).toBe(true);
  expect(sameSecret('s3creT', 's3cret')).toBe(false);
  expect(sameSecret('s3cret ', 's3cret')).toBe(false);
  expect(sameSecret('', '')).toBe(false);
  expect(sameSecret(undefined, undefined)).toBe(false);
  expect(sameSecret('s3cret', undefined)).toBe(false);
});
