// What keeps a sandbox user alive: whose life it lives, the devices that report it, and when the next data are due.
import * as z from 'zod';
import { SandboxDevice, SandboxPersona } from '../catalog/sandbox.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Write } from '../platform/ports.ts';
import { keys } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';

export const SeedRow = z.object({
  /** Home, as it was when the user was created; null is UTC. */
  zone: z.string().nullable(),
  persona: SandboxPersona,
  /** Null until they are made; one that was disconnected since is not made again. */
  devices: z.partialRecord(SandboxDevice, z.string()).nullable(),
  fedMs: z.number().nullable(),
  /** Null when there is nobody left to feed. */
  nextMs: z.number().nullable(),
  /** Until when its vendors have sent what there was, by connected device. */
  pushedMs: z.record(z.string(), z.number()),
});
export type SeedRow = z.infer<typeof SeedRow>;

export const seedRows = repository(({ table }) => {
  return {
    async find(user: string): Promise<SeedRow | undefined> {
      const item = await table.get(keys.seed(user), { consistent: true });
      return item && SeedRow.parse(item);
    },
    buildInsert: (user: string, row: SeedRow & { nextMs: number }): Write => ({
      kind: 'put',
      item: { ...keys.seed(user), ...row, ...pendingIndexKeys('seed', user, row.nextMs) },
    }),
    /** One at a time: undefined when somebody else is at it, or the user was erased. `isRetry` when whoever was at it never finished. */
    async claim(
      user: string,
      nowMs: number,
      untilMs: number,
    ): Promise<{ seed: SeedRow; isRetry: boolean } | undefined> {
      const { applied, item } = await writeConditionally(table, {
        kind: 'update',
        key: keys.seed(user),
        update: 'SET #leasedUntilMs = :until, #claims = if_not_exists(#claims, :none) + :one',
        condition: 'attribute_exists(#pk) AND (attribute_not_exists(#leasedUntilMs) OR #leasedUntilMs <= :now)',
        values: { until: untilMs, now: nowMs, none: 0, one: 1 },
      });
      return applied && item ? { seed: SeedRow.parse(item), isRetry: item['claims'] !== 1 } : undefined;
    },
    /** Lets go of it. False when the user was erased, or a device was connected meanwhile: then what was done is kept, and it is due again. */
    recordFeed: (user: string, before: SeedRow, row: SeedRow & { nextMs: number }): Promise<boolean> =>
      replace(user, before, row, pendingIndexKeys('sandbox', user, row.nextMs)),
    /** From here on nothing is due. */
    end: (user: string, before: SeedRow, row: SeedRow): Promise<boolean> =>
      replace(user, before, { ...row, nextMs: null }),
    /** A device was connected, and its vendor may have something to send. */
    buildWake: (user: string, nowMs: number): Write => ({
      kind: 'update',
      key: keys.seed(user),
      update: 'SET #nextMs = :now, #duePk = :duePk, #dueSk = :dueSk',
      condition: 'attribute_exists(#pk)',
      values: { now: nowMs, ...pendingIndexKeys('seed', user, nowMs) },
    }),
  };

  async function replace(user: string, { nextMs }: SeedRow, row: SeedRow, indexKeys: Item = {}): Promise<boolean> {
    const { applied } = await writeConditionally(table, {
      kind: 'put',
      item: { ...keys.seed(user), ...row, ...indexKeys },
      condition: '#nextMs = :before',
      values: { before: nextMs },
    });
    if (applied) return true;
    const { devices, fedMs, pushedMs } = row;
    await writeConditionally(table, {
      kind: 'update',
      key: keys.seed(user),
      update: 'SET #devices = :devices, #fedMs = :fedMs, #pushedMs = :pushedMs REMOVE #leasedUntilMs, #claims',
      condition: 'attribute_exists(#pk)',
      values: { devices, fedMs, pushedMs },
    });
    return false;
  }
});
