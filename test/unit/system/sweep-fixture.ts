// One owner of every kind of pending work, and many of one kind.
import { beforeAll, describe, expect, test } from 'vitest';
import { sweepWorker } from '../../../functions/workers/sweep.ts';
import type { QueueName } from '../../../shared/system/jobs.ts';
import { type PendingKind, pendingIndexKeys, sweptKinds } from '../../../shared/system/pending-kinds.ts';
import { type MemoryDeps, memoryDeps, memoryStartMs } from '../../harness/memory-deps.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { pendingKey, pendingRow, someAccount, someOwner, someWebhook } from '../../harness/pending-work.ts';

export const minute = 60_000;
export const old = memoryStartMs - 10 * minute;

type Swept = (typeof sweptKinds)[number];
/** Adds pending work of every kind. */
export async function addPendingOfEveryKind(world: MemoryDeps): Promise<Record<Swept, string>> {
  const entries = sweptKinds.map((kind) => [kind, someOwner(kind)] as const);
  await world.table.batchWrite(entries.map(([kind, owner]) => pendingRow(kind, owner, old)));
  return Object.fromEntries(entries) as Record<Swept, string>;
}

/** Returns the message that names an owner. */
export function jobFor(kind: PendingKind, owner: string): object {
  if (kind === 'feed') return { account_id: someAccount, env: 'live', rows: [pendingKey(kind, owner)] };
  if (kind === 'deliver') return { webhook_id: someWebhook, delivery_id: owner };
  if (kind === 'mail') return { account_id: someAccount, env: 'live', invitation_id: owner };
  return { user_id: owner };
}
export const queueOf = (kind: PendingKind): QueueName =>
  kind === 'sandbox' ? 'seed' : kind === 'sync' ? 'connection' : kind;

/** Defines tests of more work than one sweep handles, and more than two do. */
export function wakeMany(many: number): void {
  describe(`${many} pending owners`, () => {
    const maxPerKind = 10_000;
    const begins = memoryStartMs - many - minute;
    const owners = Array.from({ length: many }, (_none, index) => someOwner('user', begins + index));
    const positionOf = new Map(owners.map((owner, index) => [owner, index]));
    const full = memoryTable();
    beforeAll(() => full.batchWrite(owners.map((owner, index) => pendingRow('user', owner, begins + index))));

    /** Returns their positions in the order they were woken, by shard of the index. */
    function woken(world: MemoryDeps): Map<string, number[]> {
      const users = world.sentTo('user').map((body) => (body as { user_id: string }).user_id);
      const byPart = Map.groupBy(users, (user) => pendingIndexKeys('user', user, 0).duePk);
      return new Map([...byPart].map(([part, own]) => [part, own.map((user) => positionOf.get(user) ?? -1)]));
    }
    const all = (positions: Map<string, number[]>): number[] => [...positions.values()].flat();
    const isRising = (positions: number[]): boolean =>
      positions.every((position, at) => position > (positions[at - 1] ?? -1));

    test('delay no other kind, which is swept in the same run', async () => {
      const world = memoryDeps({ table: full.copy() });
      const others = await addPendingOfEveryKind(world);
      const began = performance.now();
      await sweepWorker(world.deps)();
      expect(performance.now() - began).toBeLessThan(minute / 4);
      for (const kind of sweptKinds.filter((each) => each !== 'user'))
        expect(world.sentTo(queueOf(kind))).toEqual([jobFor(kind, others[kind])]);
    });

    test('are woken ten thousand at a time in one call, oldest first until all were woken, then from the oldest again', async () => {
      const world = memoryDeps({ table: full.copy() });
      let sweeps = 0;
      for (let last = maxPerKind; sweeps < 20 && (last === maxPerKind || all(woken(world)).length < many); sweeps++) {
        await sweepWorker(world.deps)();
        world.clock.advance(minute);
        last = world.calls.at(-1)?.bodies.length ?? 0;
        expect(last).toBeLessThanOrEqual(maxPerKind);
      }
      expect(world.calls).toHaveLength(sweeps);
      expect(sweeps).toBeLessThanOrEqual(Math.ceil(many / maxPerKind) + 2);
      const positions = woken(world);
      expect([...positions.values()].every(isRising)).toBe(true);
      expect(new Set(all(positions)).size).toBe(many);
      await sweepWorker(world.deps)();
      expect(world.calls.at(-1)?.bodies).toContainEqual({ user_id: owners[0] });
    });

    test('are never skipped: a sweep whose messages were refused starts again at the same position', async () => {
      const world = memoryDeps({ table: full.copy() });
      await sweepWorker(world.deps)();
      world.unavailableQueues.add('user');
      await expect(sweepWorker(world.deps)()).rejects.toThrow('could not sweep: user');
      world.unavailableQueues.clear();
      await sweepWorker(world.deps)();
      const uninterrupted = memoryDeps({ table: full.copy() });
      await sweepWorker(uninterrupted.deps)();
      await sweepWorker(uninterrupted.deps)();
      expect(all(woken(world))).toHaveLength(2 * maxPerKind);
      expect(woken(world)).toEqual(woken(uninterrupted));
      // Each line states how many were woken, that there are more, and how long the oldest has
      // waited.
      const line = { kind: 'user', pending: maxPerKind, is_partial: true, oldest_seconds: (many + minute) / 1000 };
      expect(uninterrupted.log.map(({ fields }) => fields)).toEqual([line, line]);
    });
  });
}
