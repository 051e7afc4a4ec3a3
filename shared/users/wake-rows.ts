// The wake number on a user's row (`wake-number.ts`).
import * as z from 'zod';
import type { Update } from '../platform/ports.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';

const WakeItem = z.object({ status: z.string(), wake: z.int().default(0) });

/** The number never goes back: a later run may have raised it. */
export const buildRaise = ({ wake }: { wake?: number | undefined }, nextWake: number) => ({
  changes: { wake: nextWake },
  condition: wake === undefined ? 'attribute_not_exists(#wake)' : '#wake = :readWake',
  values: wake === undefined ? {} : { readWake: wake },
});

export const wakeRows = repository(({ table }) => ({
  /** Undefined if the user does not exist or is being deleted. */
  async find(user: string): Promise<number | undefined> {
    const item = await table.get(keys.user(user), { consistent: true });
    if (!item) return undefined;
    const { status, wake } = WakeItem.parse(item);
    return status === 'deleting' ? undefined : wake;
  },
  /** For a run that commits no pass. Fails if the number has changed since it was read. */
  buildRaise(row: { id: string; wake?: number | undefined }, nextWake: number): Update {
    const { changes, condition, values } = buildRaise(row, nextWake);
    return {
      kind: 'update',
      key: keys.user(row.id),
      update: buildSetClause(changes),
      condition: `attribute_exists(#pk) AND ${condition}`,
      values: { ...changes, ...values },
    };
  },
}));
