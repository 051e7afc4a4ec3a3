// The pending commands of a user, as stored in the table.
import type { Table } from '../../shared/platform/ports.ts';
import { commandPrefix, userPartition } from '../../shared/system/keys.ts';
import { openStore } from '../../shared/system/store.ts';
import { type Command, commandRows } from '../../shared/users/command-rows.ts';

export async function pendingCommands(table: Table, userId: string): Promise<Command[]> {
  const rows = table.queryAll({
    where: '#pk = :pk AND begins_with(#sk, :prefix)',
    values: { pk: userPartition(userId), prefix: commandPrefix },
    consistent: true,
  });
  const items = [];
  for await (const row of rows) items.push(row);
  return commandRows(openStore(table, { now: Date.now })).parse(items).commands;
}
