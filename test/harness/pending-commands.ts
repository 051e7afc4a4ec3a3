// The commands of a person that wait, as the table holds them.
import type { Table } from '../../shared/engine/ports.ts';
import { type Command, commandRows } from '../../shared/store/commands.ts';
import { commandPrefix, userPartition } from '../../shared/store/keys.ts';
import { openStore } from '../../shared/store/store.ts';

export async function pendingCommands(table: Table, userId: string): Promise<Command[]> {
  const rows = table.queryAll({
    where: '#pk = :pk AND begins_with(#sk, :prefix)',
    values: { pk: userPartition(userId), prefix: commandPrefix },
    consistent: true,
  });
  const items = [];
  for await (const row of rows) items.push(row);
  return commandRows(openStore(table, { now: Date.now })).read(items).commands;
}
