// The person's writer as the queue calls it for somebody who was deleted, with a note of every row that it took.

import { live } from '../../../functions/runtime/life.ts';
import { personWorker } from '../../../functions/workers/person.ts';
import { EngineUnavailable, type Key, type Table, type Write } from '../../../shared/platform/ports.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { owedTo } from '../owed.ts';
import { type PausedWorker, pausedBefore, type Workplace } from './paused-worker.ts';
import { isTold } from './verdict.ts';
import type { World } from './world.ts';

export interface Eraser {
  /** As far as it goes now. One that dies after so many of its writes is heard of no more. */
  come(diesAfter?: number): Promise<void>;
  /** A sweep each minute has it come as long as something is due; commands that are young make it come for two minutes at most. */
  comeWhileDue(): Promise<void>;
  /** Rows of the user that were there and then were not, in that order, until the receipt. */
  removed: Key[];
  /** One that stops before its n-th write. */
  pausedBefore(n: number): PausedWorker;
  /** For whoever may find the user gone and erase it: what they take is noted, too. */
  place: Workplace;
}

/** So many rows go with one call of the engine, and a process may die between two. */
const rowsACall = 25;
const minuteMs = 60_000;
const mostMinutes = 3;

class Dead extends EngineUnavailable {}

export function eraserIn(world: World): Eraser {
  const removed: Key[] = [];
  const note = (writes: readonly Write[]): void => {
    if (isTold(world)) return;
    for (const write of writes) if (write.kind === 'delete' && isCounted(write.key)) removed.push(write.key);
  };
  const isCounted = (key: Key): boolean => key.pk === userPartition(world.id) && world.table.has(key);
  const never = Number.POSITIVE_INFINITY;
  const placeOf = (isPass: boolean): Workplace => ({
    ...world,
    table: notedTable(world.table, { diesAfter: never, isPass }, note),
  });
  const eraser: Eraser = {
    removed,
    async come(diesAfter = never) {
      const deps = world.over(notedTable(world.table, { diesAfter, isPass: false }, note));
      try {
        await live(world.clock, () => personWorker(deps)({ user_id: world.id }, { receives: 1 }));
      } catch (error) {
        if (!(error instanceof Dead)) throw error;
      }
    },
    async comeWhileDue() {
      for (let minutes = 0; (await owedTo(world.deps.store, 'person')).includes(world.id); minutes++) {
        if (minutes === mostMinutes) throw new Error(`after ${mostMinutes} minutes something is still due`);
        world.clock.advance(minuteMs);
        await eraser.come();
      }
    },
    pausedBefore: (n) =>
      pausedBefore(placeOf(false), n, (deps) => personWorker(deps)({ user_id: world.id }, { receives: 1 })),
    place: placeOf(true),
  };
  return eraser;
}

function notedTable(
  table: Table,
  { diesAfter, isPass }: { diesAfter: number; isPass: boolean },
  note: (writes: readonly Write[]) => void,
): Table {
  let writes = 0;
  /** A pass deletes rows, too; what is erased it has counted before. */
  let isErasing = !isPass;
  const whileAlive = async <T>(write: () => Promise<T>): Promise<T> => {
    // Others have their turn between any two of its writes.
    await Promise.resolve();
    if (writes++ >= diesAfter) throw new Dead('the eraser is gone');
    return write();
  };
  return {
    ...table,
    write: (write) =>
      whileAlive(() => {
        isErasing ||= write.kind === 'update' && write.update.includes('#erased');
        return table.write(write);
      }),
    transact: (all) => whileAlive(() => table.transact(all)),
    async batchWrite(all) {
      for (let at = 0; at < all.length; at += rowsACall) {
        const some = all.slice(at, at + rowsACall);
        await whileAlive(() => {
          if (isErasing) note(some);
          return table.batchWrite(some);
        });
      }
    },
  };
}
