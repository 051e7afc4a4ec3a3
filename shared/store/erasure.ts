// What is left of a deleted user, and the counting of what was erased.
import * as z from 'zod';
import { ConditionFailed, type Key, type Table, type Write } from '../engine/ports.ts';
import { Environment } from '../model/account.ts';
import { dues, keys, userPartition } from './keys.ts';

const Owed = z.object({
  account: z.string(),
  env: Environment,
  status: z.literal('deleting'),
  erased: z.record(z.string(), z.number()).default({}),
});
const RowKey = z.object({ pk: z.string(), sk: z.string() });

/** The kinds a receipt counts, by the beginning of the sort key. */
const kinds: readonly (readonly [prefix: string, kind: string])[] = [['@DEVICE#', 'devices']];
const kindOf = (sk: string): string => kinds.find(([prefix]) => sk.startsWith(prefix))?.[1] ?? 'other';

export function erasureRows(table: Table) {
  return {
    async owed(user: string): Promise<z.infer<typeof Owed> | undefined> {
      const item = await table.get(keys.user(user), { consistent: true });
      return item === undefined ? undefined : Owed.safeParse(item).data;
    },
    /** Some of the user's rows, the user itself left out. */
    async leftovers(user: string, atMost: number) {
      const page = await table.query({
        where: '#pk = :pk',
        values: { pk: userPartition(user) },
        limit: atMost + 1,
        consistent: true,
        only: ['pk', 'sk'],
      });
      const found = page.items.map((item) => RowKey.parse(item)).filter((key) => key.sk !== keys.user(user).sk);
      const countsByKind: Record<string, number> = {};
      for (const { sk } of found) countsByKind[kindOf(sk)] = (countsByKind[kindOf(sk)] ?? 0) + 1;
      return { keys: found, countsByKind, stepId: found[0]?.sk ?? '' };
    },
    /** Adds a step's counts once: a step that comes again because it was interrupted has the same id. */
    async count(user: string, stepId: string, counts: Record<string, number>): Promise<void> {
      const owed = await this.owed(user);
      if (!owed) throw new Error(`user ${user} is not being deleted`);
      const erased = { ...owed.erased };
      for (const [kind, count] of Object.entries(counts)) erased[kind] = (erased[kind] ?? 0) + count;
      try {
        await table.write({
          kind: 'update',
          key: keys.user(user),
          update: 'SET #erased = :erased, #erasedStep = :step',
          condition: '#status = :deleting AND (attribute_not_exists(#erasedStep) OR #erasedStep <> :step)',
          values: { erased, step: stepId, deleting: 'deleting' },
        });
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
    },
    erase: (rows: Key[]): Promise<void> => table.batchWrite(rows.map((key) => ({ kind: 'delete', key }))),
    finishing: (user: string): Write => ({
      kind: 'delete',
      key: keys.user(user),
      condition: '#status = :deleting',
      values: { deleting: 'deleting' },
    }),
    async *due(): AsyncGenerator<string> {
      const found = table.queryAll({ index: 'by-due', where: '#duePk = :due', values: { due: dues.erase } });
      for await (const item of found) yield z.object({ dueSk: z.string() }).parse(item).dueSk;
    },
  };
}
