// The user's writer as the queue invokes it for a deleted user, with a record of every row that it
// removes.

import { runWithDeadline } from '../../../functions/runtime/run-deadline.ts';
import { userWorker } from '../../../functions/workers/write-user.ts';
import { EngineUnavailable, type Key, type Table, type Write } from '../../../shared/platform/ports.ts';
import { userPartition } from '../../../shared/system/keys.ts';
import { listPendingOwners } from '../pending-work.ts';
import { hasDeletionEvent } from './erasure-checks.ts';
import { type PausedWorker, pauseBeforeCall, type WorkerEnvironment } from './paused-worker.ts';
import type { World } from './world.ts';

export interface Eraser {
  /** Runs once. With `diesAfter`, it crashes silently after that many writes. */
  run(diesAfter?: number): Promise<void>;
  /**
   * Runs once a minute, as the sweep does, as long as work is pending. Recent commands extend this
   * by at most two minutes.
   */
  runWhileDue(): Promise<void>;
  /** The user's rows that were removed before the receipt, in order. */
  removedKeys: Key[];
  /** A run that pauses before its n-th write. */
  pauseBefore(n: number): PausedWorker;
  /**
   * For workers that may find the user deleted and erase the data themselves. Their removals are
   * recorded as well.
   */
  environment: WorkerEnvironment;
}

/** One engine call deletes this many rows, and a process may crash between two calls. */
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
        if (minutes === maxMinutes) throw new Error(`after ${maxMinutes} minutes work is still pending`);
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
  /** A pass deletes rows too. It has counted the rows to erase before it starts to erase. */
  let isErasing = !isPass;
  const ifAlive = async <T>(write: () => Promise<T>): Promise<T> => {
    // Other workers may run between any two of its writes.
    await Promise.resolve();
    if (writes++ >= diesAfter) throw new EraserCrashed('the eraser has crashed');
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
