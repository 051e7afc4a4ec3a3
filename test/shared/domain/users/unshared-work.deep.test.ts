import { expect, test } from 'vitest';
import { revokeAtCalls, works } from './unshared-work.ts';

test.each(Object.entries(works))('sharing is revoked at every call while %s', async (_what, work) => {
  expect(await revokeAtCalls(work, 1)).toBeGreaterThan(4);
});
