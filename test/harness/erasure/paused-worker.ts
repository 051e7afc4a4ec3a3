// A worker that stops before one of its writes, as if its process were frozen there, and goes on when it is told to.
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
  /** It has come to that call, or to its end. */
  stopped: Promise<void>;
  /** The calls it made and was to be stopped at. */
  calls(): string[];
  /** What it wanted to write after it was stopped, and whether that was too late for it. */
  lateWrites(): { call: string; tooLate: boolean }[];
  resume(): Promise<WorkResult>;
}

export const isWrite = ({ ranges: touches }: TableCall): boolean => touches.some(({ writes }) => writes);
export const isAnyCall = (): boolean => true;

/** From the n-th call that counts on, everything that counts waits. A frozen process wakes up before its life is looked at. */
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
    // What it does beside that call comes to rest too.
    stopped: Promise.race([reached.promise, ended]).then(() => nextTurn()),
    calls: () => calls,
    lateWrites: () => lateWrites,
    resume() {
      gate.resolve();
      return ended;
    },
  };
}

/** Undisturbed, in a copy of the world: how many calls of that kind there are to stop at. */
export async function listCalls(world: World, work: Work, isCounted = isWrite): Promise<string[]> {
  const worker = pauseBeforeCall(world.copy(), Number.POSITIVE_INFINITY, work, isCounted);
  const ended = await worker.resume();
  if ('error' in ended) throw ended.error;
  return worker.calls();
}
