// Stores what generates data for a sandbox user: its persona, the devices that report, what is left of
// its history, and when the next data is due.
import * as z from 'zod';
import { SandboxDevice, SandboxPersona } from '../catalog/sandbox.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Value, Write } from '../platform/ports.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import { keys } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';

export const SeedRow = z.object({
  /** The time zone when the user was created; null is UTC. */
  zone: z.string().nullable(),
  persona: SandboxPersona,
  /** The requested number of whole days of data. */
  days: z.number(),
  /** Null if the life of the user depends on its id. */
  lifeSeed: z.string().nullable(),
  /**
   * Null until the devices are created. A device that was disconnected since is not created again.
   */
  devices: z.partialRecord(SandboxDevice, z.string()).nullable(),
  /** The phone's days that have not been uploaded yet, both inclusive; null when there are none. */
  history: z.object({ from: z.string(), to: z.string() }).nullable(),
  fedMs: z.number().nullable(),
  /** Null when the user needs no more data. */
  nextMs: z.number().nullable(),
  /** The time up to which the simulated providers have sent their data, by connected device. */
  pushedMs: z.record(z.string(), z.number()),
});
export type SeedRow = z.infer<typeof SeedRow>;

export const seedRows = repository(({ table }) => {
  return {
    async find(user: string): Promise<SeedRow | undefined> {
      const item = await table.get(keys.seed(user), { consistent: true });
      return item && SeedRow.parse(item);
    },
    /** Whether data is due that a worker was woken for. The data of every hour is not. */
    async isPending(user: string): Promise<boolean> {
      const item = await table.get(keys.seed(user), { consistent: true });
      return item?.duePk === pendingIndexKeys('seed', user, 0).duePk;
    },
    buildInsert: (user: string, row: SeedRow): Write => ({
      kind: 'put',
      item: {
        ...keys.seed(user),
        ...row,
        ...(row.nextMs === null ? {} : pendingIndexKeys('seed', user, row.nextMs)),
      },
    }),
    /**
     * Takes the lease. Returns undefined if another worker holds it, or if the user was erased.
     * `isRetry` is true if the previous holder never finished.
     */
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
    /**
     * Releases the lease. Returns false if the user was erased or a device was connected in the
     * meantime; the progress is then still stored, and the row is due again.
     */
    recordFeed: (user: string, before: SeedRow, row: SeedRow & { nextMs: number }): Promise<boolean> =>
      replace(user, before, row, pendingIndexKeys(row.history ? 'seed' : 'sandbox', user, row.nextMs)),
    /** From now on nothing is due. */
    end: (user: string, before: SeedRow, row: SeedRow): Promise<boolean> =>
      replace(user, before, { ...row, nextMs: null }),
    /** A device was connected, and its simulated provider may have data to send. */
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
    const progress = {
      devices: row.devices,
      history: row.history,
      fedMs: row.fedMs,
      pushedMs: row.pushedMs,
    } satisfies Record<Exclude<keyof SeedRow, 'zone' | 'persona' | 'days' | 'lifeSeed' | 'nextMs'>, Value>;
    await writeConditionally(table, {
      kind: 'update',
      key: keys.seed(user),
      update: `${buildSetClause(progress)} REMOVE #leasedUntilMs, #claims`,
      condition: 'attribute_exists(#pk)',
      values: progress,
    });
    return false;
  }
});
