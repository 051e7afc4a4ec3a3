// A user is deleted while a worker stands before one of its writes; the worker goes on at a moment of one's choice, and so does the eraser.
import { workerLifeMs } from '../../../shared/domain/work/worker-life.ts';
import { LifeIsOver, longestLifeMs } from '../../../shared/runtime/life.ts';
import { oneTo } from '../outbox.ts';
import { eraserIn } from './eraser.ts';
import { callsOf, pausedBefore, type Work } from './paused-worker.ts';
import { eventsOf, isTold, leftIn, namesOf, receiptProblems } from './verdict.ts';
import type { World } from './world.ts';

/** When the worker goes on. */
export const moments = ['before the eraser comes', 'after it came', 'after the receipt'] as const;
export type Moment = (typeof moments)[number];

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
        problems.push(`before ${writes[n - 1]}, on ${moment}: ${problem}`);
  return { writes, problems };
}

async function race(world: World, n: number, work: Work, moment: Moment): Promise<string[]> {
  const { clock } = world;
  // It is about exact instants: the last at which somebody may write, and the first at which nobody
  // does.
  clock.hold();
  const problems: string[] = [];
  const eraser = eraserIn(world);
  const worker = pausedBefore(world, n, work);
  await worker.stopped;
  await world.delete();
  const toldBefore = eventsOf(world);
  const names = namesOf(world.table.rows(), world.id);

  if (moment === 'before the eraser comes') await worker.goOn();
  await eraser.come();
  if (moment === 'after it came') {
    clock.advance(longestLifeMs - 1);
    await worker.goOn();
    names.push(...namesOf(world.table.rows(), world.id));
  }
  clock.advance(workerLifeMs - 1 - (moment === 'after it came' ? longestLifeMs - 1 : 0));
  await eraser.come();
  if (isTold(world)) problems.push('the receipt came while somebody could be writing');
  clock.advance(1);
  await eraser.come();
  if (moment === 'after the receipt') {
    const ended = await worker.goOn();
    if (!('error' in ended && ended.error instanceof LifeIsOver)) problems.push('the worker was not told to stop');
    const written = worker.late().filter(({ tooLate }) => !tooLate);
    problems.push(...written.map(({ call }) => `written too late: ${call}`));
  }
  const verdict = () => [...leftIn(world.table.rows(), names), ...receiptProblems(world, toldBefore, eraser.removed)];
  problems.push(...verdict());
  // Every message comes once more.
  await work(world.deps).catch(() => {});
  await eraser.come();
  problems.push(...verdict().map((problem) => `${problem}, when messages came again`));
  return problems;
}
