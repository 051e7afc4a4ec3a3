// What the simulated provider remembers of its codes and tokens: only those that are spent or
// revoked, for as long as they would have been valid.
import * as z from 'zod';
import { writeConditionally } from '../../platform/conditional-write.ts';
import { keys } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';

const EndedRow = z.object({ endedMs: z.number() });

export const sandboxGrantRows = repository(({ table }) => ({
  /** Undefined while it is valid. */
  async findEndedMs(name: string): Promise<number | undefined> {
    const item = await table.get(keys.sandboxGrant(name), { consistent: true });
    return item && EndedRow.parse(item).endedMs;
  },
  /** False if it had ended before. */
  async spend(name: string, nowMs: number, untilMs: number): Promise<boolean> {
    const item = { ...keys.sandboxGrant(name), endedMs: nowMs, ttl: Math.ceil(untilMs / 1000) };
    return (await writeConditionally(table, { kind: 'put', item, condition: 'attribute_not_exists(#pk)' })).applied;
  },
  /** Overwrites an earlier end: the later time counts. */
  async end(name: string, nowMs: number, untilMs: number): Promise<void> {
    const item = { ...keys.sandboxGrant(name), endedMs: nowMs, ttl: Math.ceil(untilMs / 1000) };
    await table.write({ kind: 'put', item });
  },
}));
