// A tick that finds more work than it has time for.
import { expect, test } from 'vitest';
import type { Deps } from '../../../shared/system/deps.ts';
import { pendingShards } from '../../../shared/system/pending-kinds.ts';
import { wakeDue } from '../../../shared/system/wake-pending.ts';
import { memoryDeps, memoryStartMs } from '../../harness/memory-deps.ts';
import { pendingRow, someOwner } from '../../harness/pending-work.ts';

interface Parts {
  shares: string;
  partOf(at: number): number;
}
export const even: Parts = { shares: 'even', partOf: (at) => at % pendingShards };
/** One shard has more rows than each of the others. */
export const uneven: Parts = { shares: 'uneven', partOf: (at) => (at % 210 === 0 ? 0 : at % pendingShards) };

export function tickForLong(...parts: Parts[]): void {
  test.each(parts)(
    'a tick continues until its time is nearly over, and the next one from there, in $shares parts',
    async ({ partOf }) => {
      const world = memoryDeps();
      const many = 30_000;
      // Chooses the shard of each owner, so that the number of rows that are read again does not
      // depend on chance.
      const ownerIn = (part: number) => `${someOwner('sync').slice(0, -2)}0${part}`;
      const owners = Array.from({ length: many }, (_none, at) =>
        pendingRow('sync', ownerIn(partOf(at)), memoryStartMs - many + at),
      );
      await world.table.batchWrite(owners);
      const { queue } = world.deps;
      const slow: Deps = {
        ...world.deps,
        queue: {
          ...queue,
          async sendAll(name, bodies) {
            await queue.sendAll(name, bodies);
            world.clock.advance(25_000);
          },
        },
      };
      await wakeDue(slow, 'sync');
      const first = world.sentTo('connection').length;
      expect(first).toBeGreaterThan(15_000);
      expect(first).toBeLessThanOrEqual(20_000);
      world.clock.advance(10_000);
      await wakeDue(world.deps, 'sync');
      expect(new Set(world.sentTo('connection').map((body) => JSON.stringify(body))).size).toBe(many);
      // Rows that some shards of the index had already read are read again.
      expect(world.sentTo('connection').length).toBeLessThan(many * 1.05);
      expect(world.log).toEqual([]);
    },
  );
}
