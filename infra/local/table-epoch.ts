// The identity of the local table, written to it once: feed cursors are valid for this table only.
// After an older copy of the table is restored, delete this row, or readers of the feed may skip
// events.

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
