// Runs the writer and another actor on one table, one table call at a time, in the order of a
// schedule.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Table } from '../../../shared/platform/ports.ts';
import type { Actor, Schedule } from './schedule.ts';
import { steppedTable } from './stepped-table.ts';
import type { TableCall } from './table-footprint.ts';
import { isEmptyRead } from './unused-samples.ts';

export interface Step {
  actor: Actor;
  call: TableCall;
  outcome: 'held' | 'refused';
}
export type Work = Record<Actor, (table: Table) => Promise<void>>;

export interface SteppedRun {
  /** Every call, in the order it was made. */
  steps: Step[];
  /** The errors that the actors threw. */
  errors: unknown[];
}

export async function runStepped(
  table: Table,
  work: Work,
  { runs, dies }: Pick<Schedule, 'runs' | 'dies'>,
): Promise<SteppedRun> {
  const steps: Step[] = [];
  const actors = { writer: steppedActor(table, work.writer), other: steppedActor(table, work.other) };
  const takeStep = async (actor: Actor): Promise<boolean> => {
    const step = await actors[actor].step();
    if (step) steps.push({ actor, ...step });
    return step !== undefined;
  };
  for (const { actor, calls } of runs) {
    for (let left = calls; left > 0 && (await takeStep(actor)); ) left--;
    if (actors.writer.ended() && actors.other.ended()) break;
  }
  const survivors = (['writer', 'other'] as const).filter((actor) => actor !== dies);
  for (const actor of survivors) while (await takeStep(actor));
  const results = await Promise.allSettled(survivors.map((actor) => actors[actor].result));
  return { steps, errors: results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])) };
}

interface WaitingCall {
  call: TableCall;
  take(): Promise<Step['outcome']>;
}

function steppedActor(table: Table, work: (table: Table) => Promise<void>) {
  const waiting: WaitingCall[] = [];
  /** Calls in progress that do not wait for a turn. */
  let underWay = 0;
  let finished = false;
  let progress = Promise.withResolvers<void>();
  async function makeAtOnce<T>(run: () => Promise<T>): Promise<T> {
    underWay++;
    try {
      return await run();
    } finally {
      underWay--;
      progress.resolve();
    }
  }
  function wait<T>(call: TableCall, run: () => Promise<T>): Promise<T> {
    if (isEmptyRead(call)) return makeAtOnce(run);
    const pendingResult = Promise.withResolvers<T>();
    // The actor's deadline is known in the context of its call, not where its turn is given.
    const withinItsDeadline = AsyncLocalStorage.bind(run);
    const take = async (): Promise<Step['outcome']> => {
      const [outcome] = await Promise.allSettled([withinItsDeadline()]);
      if (outcome.status === 'fulfilled') pendingResult.resolve(outcome.value);
      else pendingResult.reject(outcome.reason);
      return outcome.status === 'fulfilled' ? 'held' : 'refused';
    };
    waiting.push({ call, take });
    progress.resolve();
    return pendingResult.promise;
  }
  const result = work(steppedTable(table, wait)).finally(() => {
    finished = true;
    progress.resolve();
  });
  // The result is inspected after both actors have ended.
  result.catch(() => {});

  /**
   * Between two calls, an actor only resolves promises, so after one turn of the event loop all its
   * next calls are waiting.
   */
  async function untilQuiescent(): Promise<void> {
    await nextTurn();
    while (underWay > 0 || (waiting.length === 0 && !finished)) {
      progress = Promise.withResolvers<void>();
      await progress.promise;
      await nextTurn();
    }
  }

  return {
    result,
    /** A failed actor may have left calls behind, which are made nevertheless. */
    ended: () => finished && waiting.length === 0,
    /** Makes the call that was issued first. Returns undefined if there is none. */
    async step(): Promise<Omit<Step, 'actor'> | undefined> {
      await untilQuiescent();
      const next = waiting.shift();
      return next && { call: next.call, outcome: await next.take() };
    },
  };
}
