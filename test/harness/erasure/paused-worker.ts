// A worker that pauses before one of its writes, as if its process were frozen, until the test
// resumes it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DeadlineExceeded, runWithDeadline, withWriteDeadline } from '../../../functions/runtime/run-deadline.ts';
import type { Clock, Table } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { steppedTable } from '../races/stepped-table.ts';
import type { TableCall } from '../races/table-footprint.ts';
import type { World } from './world.ts';

export type Work = (deps: Deps) => Promise<unknown>;
export type WorkResult = { answer: unknown } | { error: unknown };

export interface WorkerEnvironment {
  table: Table;
  clock: Clock;
  withTable(table: Table): Deps;
}

export interface PausedWorker {
  /** Resolves when the worker reaches that call or finishes. */
  stopped: Promise<void>;
  /** The calls before which the worker could have been paused. */
  calls(): string[];
  /**
   * The writes that the worker attempted after the pause, and whether they were rejected because of
   * the deadline.
   */
  lateWrites(): { call: string; tooLate: boolean }[];
  resume(): Promise<WorkResult>;
}

export const isWrite = ({ ranges: touches }: TableCall): boolean => touches.some(({ writes }) => writes);
export const isAnyCall = (): boolean => true;

/**
 * Blocks every counted call from the n-th on. A frozen process resumes before its deadline is
 * checked.
 */
export function pauseBeforeCall(
  environment: WorkerEnvironment,
  n: number,
  work: Work,
  isCounted = isWrite,
): PausedWorker {
  const { table, clock } = environment;
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const calls: string[] = [];
  const lateWrites: { call: string; tooLate: boolean }[] = [];
  const pausedTable = steppedTable(withWriteDeadline(table, clock), async (call, run) => {
    if (!isCounted(call)) return run();
    calls.push(call.name);
    if (calls.length < n) return run();
    reached.resolve();
    await gate.promise;
    const lateWrite = { call: call.name, tooLate: false };
    if (isWrite(call)) lateWrites.push(lateWrite);
    try {
      return await run();
    } catch (error) {
      lateWrite.tooLate = error instanceof DeadlineExceeded;
      throw error;
    }
  });
  const ended: Promise<WorkResult> = runWithDeadline(clock, async () => work(environment.withTable(pausedTable))).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  return {
    // Lets concurrent work of the run come to rest as well.
    stopped: Promise.race([reached.promise, ended]).then(() => nextTurn()),
    calls: () => calls,
    lateWrites: () => lateWrites,
    resume() {
      gate.resolve();
      return ended;
    },
  };
}

/**
 * Runs undisturbed in a copy of the world and returns the calls of that kind that a test can pause
 * before.
 */
export async function listCalls(world: World, work: Work, isCounted = isWrite): Promise<string[]> {
  const worker = pauseBeforeCall(world.copy(), Number.POSITIVE_INFINITY, work, isCounted);
  const ended = await worker.resume();
  if ('error' in ended) throw ended.error;
  return worker.calls();
}
