import { expect, test } from 'vitest';
import { returnAtCalls, revokeAtCalls, works } from './unshared-work.ts';

test.each(Object.entries(works))('sharing can be revoked at every call while %s', async (_what, work) => {
  expect(await revokeAtCalls(work, 1)).toBeGreaterThan(4);
});

test.each([1, 2, 5, 9])('the user can share again %i calls after sharing was revoked', async (calls) => {
  for (const work of Object.values(works)) await returnAtCalls(work, work.step > 9 ? 5 : 1, calls);
});
