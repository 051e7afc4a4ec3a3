// The identity of the local table, written into it once: cursors of the feed are good for this table and no other.
// After an older copy of the table is put back, this row must be deleted, or readers of the feed may skip events.

import { writeConditionally } from '../../shared/platform/conditional-write.ts';
import type { Random, Table } from '../../shared/platform/ports.ts';
import { keys } from '../../shared/system/keys.ts';

export async function ensureTableEpoch(table: Table, random: Random): Promise<string> {
  const epoch = Buffer.from(random.bytes(12)).toString('hex');
  const { applied, item } = await writeConditionally(table, {
    kind: 'put',
    item: { ...keys.tableEpoch, epoch },
    condition: 'attribute_not_exists(#pk)',
  });
  return applied ? epoch : String(item?.['epoch']);
}
