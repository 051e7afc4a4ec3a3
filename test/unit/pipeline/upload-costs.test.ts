import { expect, test } from 'vitest';
import { measureUploadCosts } from '../../harness/upload-costs.ts';

test('an hourly sync with its scores stays within its cost limits, and the same upload again costs its admission', async () => {
  const { changing, withRefresh: refreshing, unchanged, reordered } = await measureUploadCosts();
  // One of the reads is the wake number, which rises in the commit of the pass.
  expect(changing).toEqual({ read: 13, write: 24 });
  expect(refreshing).toEqual({ read: 14, write: 25 });
  expect(unchanged).toEqual({ read: 1, write: 1 });
  expect(reordered).toEqual({ read: 8, write: 10 });
});
