import { test } from 'vitest';
import { checkLargeItem } from './large-item-model.ts';

test('for any faults of writers and readers, an item reads as it was last written, and only crashed writers leave chunks', async () => {
  await checkLargeItem(30);
});
