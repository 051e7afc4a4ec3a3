import { expect, test } from 'vitest';
import { measureUploadCosts } from '../../harness/upload-costs.ts';

test('an hourly sync with its scores stays within its cost limits, and the same upload again costs its admission', async () => {
  const { changing, withRefresh: refreshing, unchanged, reordered } = await measureUploadCosts();
  expect(changing.write).toBeLessThanOrEqual(24);
  expect(changing.read).toBeLessThanOrEqual(12);
  expect(refreshing.write).toBeLessThanOrEqual(25);
  expect(refreshing.read).toBeLessThanOrEqual(13);
  expect(unchanged).toEqual({ read: 1, write: 1 });
  expect(reordered).toEqual({ read: 7, write: 10 });
});
