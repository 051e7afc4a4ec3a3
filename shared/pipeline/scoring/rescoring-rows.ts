// How far the sweep is with finding the users whose scores are still of formulas before: one row for the whole deployment.
import * as z from 'zod';
import { writeConditionally } from '../../platform/conditional-write.ts';
import { Environment } from '../../system/caller.ts';
import { keys } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';

const Rescoring = z.object({
  /** Of the formulas that everybody is moved to. */
  generation: z.number(),
  /** Different after every part. */
  part: z.number(),
  /** Where the next part begins; null for the beginning. */
  place: z.object({ account: z.string(), env: Environment, afterId: z.string().nullable() }).nullable(),
  /** How many users were asked for since the beginning. */
  asked: z.number(),
  isDone: z.boolean(),
});
export type Rescoring = z.infer<typeof Rescoring>;

export const rescoringRows = repository(({ table }) => ({
  async findProgress(): Promise<Rescoring | undefined> {
    const item = await table.get(keys.rescoring, { consistent: true });
    return item && Rescoring.parse(item);
  },
  /** False when another sweep came between. */
  async saveProgress(previous: Rescoring | undefined, next: Omit<Rescoring, 'part'>): Promise<boolean> {
    const { applied } = await writeConditionally(table, {
      kind: 'put',
      item: { ...keys.rescoring, ...next, part: (previous?.part ?? 0) + 1 },
      ...(previous
        ? { condition: '#part = :part', values: { part: previous.part } }
        : { condition: 'attribute_not_exists(#pk)' }),
    });
    return applied;
  },
}));
