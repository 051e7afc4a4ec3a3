// Stores the progress of the sweep that finds users with scores of previous formulas: one row for
// the whole deployment.
import * as z from 'zod';
import { writeConditionally } from '../../platform/conditional-write.ts';
import { Environment } from '../../system/caller.ts';
import { keys } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';

const Rescoring = z.object({
  /** The generation of the formulas that all users are migrated to. */
  generation: z.number(),
  /** The version of the merge rules that all users are migrated to. */
  mergeRule: z.number(),
  /** Changes with every batch. */
  batch: z.number(),
  /** Where the next batch starts; null for the beginning. */
  position: z.object({ account: z.string(), env: Environment, afterId: z.string().nullable() }).nullable(),
  /** How many users a sweep requests at most. */
  pace: z.number(),
  /** How many users were requested in all rounds, and visited and requested in this one. */
  requested: z.number(),
  visitedInRound: z.number(),
  requestedInRound: z.number(),
  isDone: z.boolean(),
});
export type Rescoring = z.infer<typeof Rescoring>;

export const rescoringRows = repository(({ table }) => ({
  async findProgress(): Promise<Rescoring | undefined> {
    const item = await table.get(keys.rescoring, { consistent: true });
    return item && Rescoring.parse(item);
  },
  /** Returns false if another sweep saved its progress in between. */
  async saveProgress(previous: Rescoring | undefined, next: Omit<Rescoring, 'batch'>): Promise<boolean> {
    const { applied } = await writeConditionally(table, {
      kind: 'put',
      item: { ...keys.rescoring, ...next, batch: (previous?.batch ?? 0) + 1 },
      ...(previous
        ? { condition: '#batch = :batch', values: { batch: previous.batch } }
        : { condition: 'attribute_not_exists(#pk)' }),
    });
    return applied;
  },
}));
