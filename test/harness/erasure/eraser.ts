// The person's writer as the queue calls it for somebody who was deleted, with a note of every row that it took.

import { runWithDeadline } from '../../../functions/runtime/run-deadline.ts';
import { userWorker } from '../../../functions/workers/write-user.ts';
import { EngineUnavailable, type Key, type Table, type Write } from '../../../shared/platform/ports.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { listPendingOwners } from '../pending-work.ts';
import { hasDeletionEvent } from './erasure-checks.ts';
import { type PausedWorker, pauseBeforeCall, type WorkerEnvironment } from './paused-worker.ts';
import type { World } from './world.ts';

export interface Eraser {
  /** As far as it goes now. One that dies after so many of its writes is heard of no more. */
  run(diesAfter?: number): Promise<void>;
  /** A sweep each minute has it come as long as something is due; commands that are young make it come for two minutes at most. */
  runWhileDue(): Promise<void>;
  /** Rows of the user that were there and then were not, in that order, until the receipt. */
  removedKeys: Key[];
  /** One that stops before its n-th write. */
  pauseBefore(n: number): PausedWorker;
  /** For whoever may find the user gone and erase it: what they take is noted, too. */
  environment: WorkerEnvironment;
}

/** So many rows go with one call of the engine, and a process may die between two. */
const rowsPerCall = 25;
const minuteMs = 60_000;
const maxMinutes = 3;

class EraserCrashed extends EngineUnavailable {}

export function createEraser(world: World): Eraser {
  const removedKeys: Key[] = [];
  const record = (writes: readonly Write[]): void => {
    if (hasDeletionEvent(world)) return;
    for (const write of writes) if (write.kind === 'delete' && isCounted(write.key)) removedKeys.push(write.key);
  };
  const isCounted = (key: Key): boolean => key.pk === userPartition(world.id) && world.table.has(key);
  const never = Number.POSITIVE_INFINITY;
  const environmentFor = (isPass: boolean): WorkerEnvironment => ({
    ...world,
    table: recordingTable(world.table, { diesAfter: never, isPass }, record),
  });
  const eraser: Eraser = {
    removedKeys,
    async run(diesAfter = never) {
      const deps = world.withTable(recordingTable(world.table, { diesAfter, isPass: false }, record));
      try {
        await runWithDeadline(world.clock, () => userWorker(deps)({ user_id: world.id }, { receives: 1 }));
      } catch (error) {
        if (!(error instanceof EraserCrashed)) throw error;
      }
    },
    async runWhileDue() {
      for (let minutes = 0; (await listPendingOwners(world.deps.store, 'user')).includes(world.id); minutes++) {
        if (minutes === maxMinutes) throw new Error(`after ${maxMinutes} minutes something is still due`);
        world.clock.advance(minuteMs);
        await eraser.run();
      }
    },
    pauseBefore: (n) =>
      pauseBeforeCall(environmentFor(false), n, (deps) => userWorker(deps)({ user_id: world.id }, { receives: 1 })),
    environment: environmentFor(true),
  };
  return eraser;
}

function recordingTable(
  table: Table,
  { diesAfter, isPass }: { diesAfter: number; isPass: boolean },
  record: (writes: readonly Write[]) => void,
): Table {
  let writes = 0;
  /** A pass deletes rows, too; what is erased it has counted before. */
  let isErasing = !isPass;
  const ifAlive = async <T>(write: () => Promise<T>): Promise<T> => {
    // Others have their turn between any two of its writes.
    await Promise.resolve();
    if (writes++ >= diesAfter) throw new EraserCrashed('the eraser is gone');
    return write();
  };
  return {
    ...table,
    write: (write) =>
      ifAlive(() => {
        isErasing ||= write.kind === 'update' && write.update.includes('#erased');
        return table.write(write);
      }),
    transact: (all) => ifAlive(() => table.transact(all)),
    async batchWrite(all) {
      for (let at = 0; at < all.length; at += rowsPerCall) {
        const some = all.slice(at, at + rowsPerCall);
        await ifAlive(() => {
          if (isErasing) record(some);
          return table.batchWrite(some);
        });
      }
    },
  };
}
