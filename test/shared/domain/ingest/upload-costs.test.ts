import { expect, test } from 'vitest';
import { measureUploadCosts } from '../../../harness/upload-costs.ts';

test('an hourly sync costs what it did at most, and the same upload again costs its admission', async () => {
  const { changing, whole, unchanged, reordered } = await measureUploadCosts();
  expect(changing.write).toBeLessThanOrEqual(33);
  expect(changing.read).toBeLessThanOrEqual(14);
  expect(whole.write).toBeLessThanOrEqual(44);
  expect(whole.read).toBeLessThanOrEqual(25);
  expect(unchanged).toEqual({ read: 1, write: 1 });
  expect(reordered).toEqual({ read: 11, write: 12 });
});
