// A user is deleted while somebody stands before one of their writes, who goes on at a moment of one's choice. Nobody waits for them with the receipt.

import { LifeIsOver, longestLifeMs } from '../../../functions/runtime/life.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { oneTo } from '../outbox.ts';
import { write } from '../write-person.ts';
import { type Eraser, eraserIn } from './eraser.ts';
import { callsOf, pausedBefore, type Work } from './paused-worker.ts';
import { eventsOf, isTold, leftIn, namesOf, receiptProblems } from './verdict.ts';
import type { World } from './world.ts';

/** When whoever was stopped goes on. */
export const moments = ['before the eraser comes', 'after the receipt', 'when their life is over'] as const;
export type Moment = (typeof moments)[number];
/** The queue lets no eraser come beside a pass; one that stalled is overtaken when its message is visible again. */
const momentsOfPass: readonly Moment[] = ['before the eraser comes', 'when their life is over'];

/** A message that was not answered is handed out again by then. */
const visibilityMs = 2 * longestLifeMs;

/**
 * Every write of the work, or every so many of them, with every moment: what went wrong, by where
 * and when.
 */
export async function everyRace(world: World, work: Work, when: readonly Moment[] = moments, everySo = 1) {
  const writes = await callsOf(world, work);
  const problems: string[] = [];
  for (const n of oneTo(writes.length).filter((each) => (writes.length - each) % everySo === 0))
    for (const moment of when)
      for (const problem of await race(world.copied(), n, work, moment))
        problems.push(`before ${writes[n - 1]}, going on ${moment}: ${problem}`);
  return { writes, problems };
}

/** The same for a pass of the person's own writer. */
export const everyRaceOfPass = (world: World, everySo = 1) =>
  everyRace(world, (deps: Deps) => write(deps, world.id), momentsOfPass, everySo);

async function race(world: World, n: number, work: Work, moment: Moment): Promise<string[]> {
  const { clock } = world;
  // It is about exact instants: the last at which somebody may write, and the first at which nobody
  // does.
  clock.hold();
  const problems: string[] = [];
  const eraser = eraserIn(world);
  const worker = pausedBefore(eraser.place, n, work);
  await worker.stopped;
  await world.delete();
  const toldBefore = eventsOf(world);
  const names = namesOf(world.table.rows(), world.id);

  if (moment === 'before the eraser comes') await worker.goOn();
  if (moment === 'when their life is over') clock.advance(visibilityMs);
  await eraser.come();
  if (!isTold(world)) problems.push('the receipt did not come at once');
  if (moment === 'after the receipt') {
    clock.advance(longestLifeMs - 1);
    await worker.goOn();
    names.push(...namesOf(world.table.rows(), world.id));
  }
  if (moment === 'when their life is over') {
    const ended = await worker.goOn();
    if (!('error' in ended && ended.error instanceof LifeIsOver)) problems.push('they were not stopped');
    const written = worker.late().filter(({ tooLate }) => !tooLate);
    problems.push(...written.map(({ call }) => `written too late: ${call}`));
  }
  const verdict = async (by: Eraser) => {
    await by.comeWhileDue();
    return [...leftIn(world.table.rows(), names), ...receiptProblems(world, toldBefore, by.removed)];
  };
  problems.push(...(await verdict(eraser)));
  // Every message comes once more.
  await work(world.deps).catch(() => {});
  await eraser.come();
  problems.push(...(await verdict(eraser)).map((problem) => `${problem}, when messages came again`));
  return problems;
}
