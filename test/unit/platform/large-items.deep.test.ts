import { test } from 'vitest';
import { checkLargeItem } from './large-item-model.ts';

test('whatever happens to writers and readers, an item is read as it was last written, and only the dead leave parts', async () => {
  await checkLargeItem(30);
});
