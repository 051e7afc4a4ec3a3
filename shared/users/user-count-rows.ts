// Counts the users of an environment in the transaction that creates or deletes one, spread over
// several rows so that concurrent transactions rarely conflict.
import * as z from 'zod';
import { computeShard } from '../platform/chunk-array.ts';
import type { Write } from '../platform/ports.ts';
import type { Environment } from '../system/caller.ts';
import { keys, userCountPartition } from '../system/keys.ts';
import { repository } from '../system/store.ts';

const shards = 16;
const CountRow = z.object({ count: z.number() });

/** Adds or subtracts one. */
export const buildUserCountUpdate = (
  { id, account, env }: { id: string; account: string; env: Environment },
  by: 1 | -1,
): Write => ({
  kind: 'update',
  key: keys.userCount(account, env, computeShard(id, shards)),
  update: 'SET #count = if_not_exists(#count, :none) + :by',
  values: { none: 0, by },
});

export const userCountRows = repository(({ table }) => ({
  async getTotal(account: string, env: Environment): Promise<number> {
    let total = 0;
    const rows = table.queryAll({
      where: '#pk = :pk',
      values: { pk: userCountPartition(account, env) },
      consistent: true,
    });
    for await (const row of rows) total += CountRow.parse(row).count;
    return total;
  },
}));
