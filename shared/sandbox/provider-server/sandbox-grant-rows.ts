// What the sandbox's vendor remembers of its codes and tokens: only those that are spent or taken back, for as long as they would have been good.
import * as z from 'zod';
import { writeConditionally } from '../../platform/conditional-write.ts';
import { keys } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';

const EndedRow = z.object({ endedMs: z.number() });

export const sandboxGrantRows = repository(({ table }) => ({
  /** Undefined while it is good. */
  async findEndedMs(name: string): Promise<number | undefined> {
    const item = await table.get(keys.sandboxGrant(name), { consistent: true });
    return item && EndedRow.parse(item).endedMs;
  },
  /** False when it had ended before. */
  async spend(name: string, nowMs: number, untilMs: number): Promise<boolean> {
    const item = { ...keys.sandboxGrant(name), endedMs: nowMs, ttl: Math.ceil(untilMs / 1000) };
    return (await writeConditionally(table, { kind: 'put', item, condition: 'attribute_not_exists(#pk)' })).applied;
  },
  /** Also when it had ended before: the later time counts. */
  async end(name: string, nowMs: number, untilMs: number): Promise<void> {
    const item = { ...keys.sandboxGrant(name), endedMs: nowMs, ttl: Math.ceil(untilMs / 1000) };
    await table.write({ kind: 'put', item });
  },
}));
