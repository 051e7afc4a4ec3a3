// What is left of a deleted user, and the counting of what was erased.
import * as z from 'zod';
import { ConditionFailed, type Key, type Table, type Write } from '../engine/ports.ts';
import { Environment } from '../model/account.ts';
import { keys, userPartition } from './keys.ts';

const Owed = z.object({
  account: z.string(),
  env: Environment,
  status: z.literal('deleting'),
  erased: z.record(z.string(), z.number()).default({}),
  /** Rows up to this sort key are in the counts already. */
  countedThrough: z.string().optional(),
});
const RowKey = z.object({ pk: z.string(), sk: z.string() });

/** The kinds a receipt counts, by the beginning of the sort key. */
const kinds: readonly (readonly [prefix: string, kind: string])[] = [
  ['@DEVICE#', 'devices'],
  ['SDK#', 'sdk_sessions'],
  ['R#', 'raw_uploads'],
  ['T#', 'sample_days'],
  ['N#', 'normalized_days'],
  ['D#', 'canonical_days'],
  ['Z#', 'sleep_days'],
  ['W#', 'workout_days'],
  ['H#', 'heart_rate_traces'],
  ['S#', 'score_days'],
];
const kindOf = (sk: string): string => kinds.find(([prefix]) => sk.startsWith(prefix))?.[1] ?? 'other';

export function erasureRows(table: Table) {
  async function owed(user: string): Promise<z.infer<typeof Owed> | undefined> {
    const item = await table.get(keys.user(user), { consistent: true });
    return item === undefined ? undefined : Owed.safeParse(item).data;
  }

  return {
    owed,
    /** Some of the user's rows in their order, the user itself left out. */
    async leftovers(user: string, atMost: number): Promise<Key[]> {
      const page = await table.query({
        where: '#pk = :pk',
        values: { pk: userPartition(user) },
        limit: atMost + 1,
        consistent: true,
        only: ['pk', 'sk'],
      });
      return page.items.map((item) => RowKey.parse(item)).filter((key) => key.sk !== keys.user(user).sk);
    },
    /** Adds rows to the receipt, each once however often a step comes again; false when the user is not being deleted. */
    async count(user: string, rows: Key[]): Promise<boolean> {
      for (;;) {
        const before = await owed(user);
        if (!before) return false;
        const { erased, countedThrough } = before;
        const fresh = rows.map(({ sk }) => sk).filter((sk) => countedThrough === undefined || sk > countedThrough);
        const last = fresh.at(-1);
        if (last === undefined) return true;
        const counts = { ...erased };
        for (const sk of fresh) counts[kindOf(sk)] = (counts[kindOf(sk)] ?? 0) + 1;
        try {
          await table.write({
            kind: 'update',
            key: keys.user(user),
            update: 'SET #erased = :counts, #countedThrough = :last',
            condition: `#status = :deleting AND ${countedThrough === undefined ? 'attribute_not_exists(#countedThrough)' : '#countedThrough = :through'}`,
            values: {
              counts,
              last,
              deleting: 'deleting',
              ...(countedThrough === undefined ? {} : { through: countedThrough }),
            },
          });
          return true;
        } catch (error) {
          if (!(error instanceof ConditionFailed)) throw error;
        }
      }
    },
    erase: (rows: Key[]): Promise<void> => table.batchWrite(rows.map((key) => ({ kind: 'delete', key }))),
    finishing: (user: string): Write => ({
      kind: 'delete',
      key: keys.user(user),
      condition: '#status = :deleting',
      values: { deleting: 'deleting' },
    }),
  };
}
