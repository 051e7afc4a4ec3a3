// Deletes a user while a worker is paused before one of its writes, and resumes the worker at a
// chosen moment. The receipt does not wait for the worker.

import { DeadlineExceeded, maxRunDurationMs } from '../../../functions/runtime/run-deadline.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { oneTo } from '../outbox.ts';
import { runWriter } from '../run-writer.ts';
import { createEraser, type Eraser } from './eraser.ts';
import { collectIds, findLeftovers, findReceiptProblems, hasDeletionEvent, listUserEvents } from './erasure-checks.ts';
import { listCalls, pauseBeforeCall, type Work } from './paused-worker.ts';
import type { World } from './world.ts';

/** When the paused worker resumes. */
export const moments = ['before the eraser comes', 'after the receipt', 'after the deadline'] as const;
export type Moment = (typeof moments)[number];
/**
 * The queue runs no eraser concurrently with a pass. A stalled pass is overtaken when its message
 * becomes visible again.
 */
const passMoments: readonly Moment[] = ['before the eraser comes', 'after the deadline'];

/** A message that was not acknowledged is redelivered by then. */
const visibilityMs = 2 * maxRunDurationMs;

/**
 * Races every write of the work, or every `stride`-th, at every moment. Returns the problems with
 * the write and the moment.
 */
export async function runEveryRace(world: World, work: Work, when: readonly Moment[] = moments, stride = 1) {
  const writes = await listCalls(world, work);
  const problems: string[] = [];
  for (const n of oneTo(writes.length).filter((each) => (writes.length - each) % stride === 0))
    for (const moment of when)
      for (const problem of await race(world.copy(), n, work, moment))
        problems.push(`before ${writes[n - 1]}, resumed ${moment}: ${problem}`);
  return { writes, problems };
}

/** The same for a pass of the user's writer. */
export const runEveryPassRace = (world: World, stride = 1) =>
  runEveryRace(world, (deps: Deps) => runWriter(deps, world.id), passMoments, stride);

async function race(world: World, n: number, work: Work, moment: Moment): Promise<string[]> {
  const { clock } = world;
  // This is about exact instants: the last at which a worker may write, and the first at which it
  // may not.
  clock.freeze();
  const problems: string[] = [];
  const eraser = createEraser(world);
  const worker = pauseBeforeCall(eraser.environment, n, work);
  await worker.stopped;
  await world.delete();
  const eventsBefore = listUserEvents(world);
  const names = collectIds(world.table.rows(), world.id);

  if (moment === 'before the eraser comes') await worker.resume();
  if (moment === 'after the deadline') clock.advance(visibilityMs);
  await eraser.run();
  if (!hasDeletionEvent(world)) problems.push('there was no receipt right away');
  if (moment === 'after the receipt') {
    clock.advance(maxRunDurationMs - 1);
    await worker.resume();
    names.push(...collectIds(world.table.rows(), world.id));
  }
  if (moment === 'after the deadline') {
    const ended = await worker.resume();
    if (!('error' in ended && ended.error instanceof DeadlineExceeded)) problems.push('the worker was not stopped');
    const written = worker.lateWrites().filter(({ tooLate }) => !tooLate);
    problems.push(...written.map(({ call }) => `written after the deadline: ${call}`));
  }
  const findProblems = async (by: Eraser) => {
    await by.runWhileDue();
    return [...findLeftovers(world.table.rows(), names), ...findReceiptProblems(world, eventsBefore, by.removedKeys)];
  };
  problems.push(...(await findProblems(eraser)));
  // Every message is redelivered.
  await work(world.deps).catch(() => {});
  await eraser.run();
  problems.push(...(await findProblems(eraser)).map((problem) => `${problem}, after redelivery`));
  return problems;
}
