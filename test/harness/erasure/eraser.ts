// The eraser as the queue calls it, with a note of every row that it took.
import { eraseUser } from '../../../shared/domain/erasure/erase-user.ts';
import { EngineUnavailable, type Key, type Table, type Write } from '../../../shared/engine/ports.ts';
import { live } from '../../../shared/runtime/life.ts';
import { userPartition } from '../../../shared/store/keys.ts';
import { numberWaiting } from '../outbox.ts';
import { type PausedWorker, pausedBefore } from './paused-worker.ts';
import type { World } from './world.ts';

export interface Eraser {
  /** As far as it goes now. One that dies after so many of its writes is heard of no more. */
  come(diesAfter?: number): Promise<void>;
  /** Rows of the user that were there and then were not, in that order. */
  removed: Key[];
  /** One that stops before its n-th write. */
  pausedBefore(n: number): PausedWorker;
}

/** So many rows go with one call of the engine, and a process may die between two. */
const rowsACall = 25;

class Dead extends EngineUnavailable {}

export function eraserIn(world: World): Eraser {
  const removed: Key[] = [];
  const note = (writes: readonly Write[]): void => {
    for (const write of writes) if (write.kind === 'delete' && isCounted(write.key)) removed.push(write.key);
  };
  const isCounted = (key: Key): boolean => key.pk === userPartition(world.id) && world.table.has(key);
  return {
    removed,
    async come(diesAfter = Number.POSITIVE_INFINITY) {
      const deps = world.over(dyingTable(world.table, diesAfter, note));
      try {
        // The feed's writer does not die with it.
        if (world.table.rows().some((row) => 'feed' in row)) await numberWaiting(world.deps);
        await live(world.clock, () => eraseUser(deps, world.id));
      } catch (error) {
        if (!(error instanceof Dead)) throw error;
      }
    },
    pausedBefore(n) {
      const table = dyingTable(world.table, Number.POSITIVE_INFINITY, note);
      return pausedBefore({ ...world, table }, n, (deps) => eraseUser(deps, world.id));
    },
  };
}

function dyingTable(table: Table, diesAfter: number, note: (writes: readonly Write[]) => void): Table {
  let writes = 0;
  const whileAlive = async <T>(write: () => Promise<T>): Promise<T> => {
    // Others have their turn between any two of its writes.
    await Promise.resolve();
    if (writes++ >= diesAfter) throw new Dead('the eraser is gone');
    return write();
  };
  return {
    ...table,
    write: (write) => whileAlive(() => table.write(write)),
    transact: (all) => whileAlive(() => table.transact(all)),
    async batchWrite(all) {
      for (let at = 0; at < all.length; at += rowsACall) {
        const some = all.slice(at, at + rowsACall);
        await whileAlive(() => {
          note(some);
          return table.batchWrite(some);
        });
      }
    },
  };
}
