// A user is deleted while somebody stands before one of their writes, who goes on at a moment of one's choice. Nobody waits for them with the receipt.

import { DeadlineExceeded, maxRunDurationMs } from '../../../functions/runtime/run-deadline.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { oneTo } from '../outbox.ts';
import { runWriter } from '../run-writer.ts';
import { createEraser, type Eraser } from './eraser.ts';
import { collectIds, findLeftovers, findReceiptProblems, hasDeletionEvent, listUserEvents } from './erasure-checks.ts';
import { listCalls, pauseBeforeCall, type Work } from './paused-worker.ts';
import type { World } from './world.ts';

/** When whoever was stopped goes on. */
export const moments = ['before the eraser comes', 'after the receipt', 'when their life is over'] as const;
export type Moment = (typeof moments)[number];
/** The queue lets no eraser come beside a pass; one that stalled is overtaken when its message is visible again. */
const passMoments: readonly Moment[] = ['before the eraser comes', 'when their life is over'];

/** A message that was not answered is handed out again by then. */
const visibilityMs = 2 * maxRunDurationMs;

/**
 * Every write of the work, or every so many of them, with every moment: what went wrong, by where
 * and when.
 */
export async function runEveryRace(world: World, work: Work, when: readonly Moment[] = moments, stride = 1) {
  const writes = await listCalls(world, work);
  const problems: string[] = [];
  for (const n of oneTo(writes.length).filter((each) => (writes.length - each) % stride === 0))
    for (const moment of when)
      for (const problem of await race(world.copy(), n, work, moment))
        problems.push(`before ${writes[n - 1]}, going on ${moment}: ${problem}`);
  return { writes, problems };
}

/** The same for a pass of the person's own writer. */
export const runEveryPassRace = (world: World, stride = 1) =>
  runEveryRace(world, (deps: Deps) => runWriter(deps, world.id), passMoments, stride);

async function race(world: World, n: number, work: Work, moment: Moment): Promise<string[]> {
  const { clock } = world;
  // It is about exact instants: the last at which somebody may write, and the first at which nobody
  // does.
  clock.freeze();
  const problems: string[] = [];
  const eraser = createEraser(world);
  const worker = pauseBeforeCall(eraser.environment, n, work);
  await worker.stopped;
  await world.delete();
  const eventsBefore = listUserEvents(world);
  const names = collectIds(world.table.rows(), world.id);

  if (moment === 'before the eraser comes') await worker.resume();
  if (moment === 'when their life is over') clock.advance(visibilityMs);
  await eraser.run();
  if (!hasDeletionEvent(world)) problems.push('the receipt did not come at once');
  if (moment === 'after the receipt') {
    clock.advance(maxRunDurationMs - 1);
    await worker.resume();
    names.push(...collectIds(world.table.rows(), world.id));
  }
  if (moment === 'when their life is over') {
    const ended = await worker.resume();
    if (!('error' in ended && ended.error instanceof DeadlineExceeded)) problems.push('they were not stopped');
    const written = worker.lateWrites().filter(({ tooLate }) => !tooLate);
    problems.push(...written.map(({ call }) => `written too late: ${call}`));
  }
  const findProblems = async (by: Eraser) => {
    await by.runWhileDue();
    return [...findLeftovers(world.table.rows(), names), ...findReceiptProblems(world, eventsBefore, by.removedKeys)];
  };
  problems.push(...(await findProblems(eraser)));
  // Every message comes once more.
  await work(world.deps).catch(() => {});
  await eraser.run();
  problems.push(...(await findProblems(eraser)).map((problem) => `${problem}, when messages came again`));
  return problems;
}
