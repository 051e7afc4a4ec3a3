import { expect, test } from 'vitest';
import { sandboxGrantRows } from '../../../../shared/sandbox/provider-server/sandbox-grant-rows.ts';
import { memoryTable } from '../../../harness/memory-table.ts';
import { storeOn } from '../../../harness/store-on.ts';

test('a sandbox code is spent once, and an ended grant can be ended again', async () => {
  const table = memoryTable();
  const grants = sandboxGrantRows(storeOn(table));
  expect(await grants.findEndedMs('code')).toBeUndefined();
  const spent = await Promise.all([1, 2, 3].map((at) => grants.spend('code', at, 60_000)));
  expect(spent.filter((each) => each)).toHaveLength(1);
  expect(await grants.findEndedMs('code')).toBe(spent.indexOf(true) + 1);
  await grants.end('code', 5_000, 90_500);
  expect(await grants.findEndedMs('code')).toBe(5_000);
  expect(table.rows()).toMatchObject([{ ttl: 91 }]);
});
