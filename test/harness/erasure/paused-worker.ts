// A worker that stops before one of its writes, as if its process were frozen there, and goes on when it is told to.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LifeIsOver, live, mortalTable } from '../../../functions/runtime/life.ts';
import type { Clock, Table } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { steppedTable } from '../races/stepped-table.ts';
import type { TableCall } from '../races/table-footprint.ts';
import type { World } from './world.ts';

export type Work = (deps: Deps) => Promise<unknown>;
export type Ended = { answer: unknown } | { error: unknown };

export interface Workplace {
  table: Table;
  clock: Clock;
  over(table: Table): Deps;
}

export interface PausedWorker {
  /** It has come to that call, or to its end. */
  stopped: Promise<void>;
  /** The calls it made and was to be stopped at. */
  calls(): string[];
  /** What it wanted to write after it was stopped, and whether that was too late for it. */
  late(): { call: string; tooLate: boolean }[];
  goOn(): Promise<Ended>;
}

export const isWrite = ({ touches }: TableCall): boolean => touches.some(({ writes }) => writes);
export const isAny = (): boolean => true;

/** From the n-th call that counts on, everything that counts waits. A frozen process wakes up before its life is looked at. */
export function pausedBefore(place: Workplace, n: number, work: Work, counts = isWrite): PausedWorker {
  const { table, clock } = place;
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const calls: string[] = [];
  const late: { call: string; tooLate: boolean }[] = [];
  const held = steppedTable(mortalTable(table, clock), async (call, run) => {
    if (!counts(call)) return run();
    calls.push(call.name);
    if (calls.length < n) return run();
    reached.resolve();
    await gate.promise;
    const note = { call: call.name, tooLate: false };
    if (isWrite(call)) late.push(note);
    try {
      return await run();
    } catch (error) {
      note.tooLate = error instanceof LifeIsOver;
      throw error;
    }
  });
  const ended: Promise<Ended> = live(clock, async () => work(place.over(held))).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  return {
    // What it does beside that call comes to rest too.
    stopped: Promise.race([reached.promise, ended]).then(() => nextTurn()),
    calls: () => calls,
    late: () => late,
    goOn() {
      gate.resolve();
      return ended;
    },
  };
}

/** Undisturbed, in a copy of the world: how many calls of that kind there are to stop at. */
export async function callsOf(world: World, work: Work, counts = isWrite): Promise<string[]> {
  const worker = pausedBefore(world.copied(), Number.POSITIVE_INFINITY, work, counts);
  const ended = await worker.goOn();
  if ('error' in ended) throw ended.error;
  return worker.calls();
}
