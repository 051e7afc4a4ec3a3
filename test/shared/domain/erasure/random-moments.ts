// Deletions at random moments of a large ingest, with erasers that come at once, die and come
// again: nothing is left, and everything is counted once.
import { expect, test } from 'vitest';
import type { Deps } from '../../../../shared/domain/deps.ts';
import { ingestUser } from '../../../../shared/domain/ingest/ingest-user.ts';
import { recomputeScores } from '../../../../shared/domain/scores/recompute.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import { longestLifeMs } from '../../../../shared/runtime/life.ts';
import { eraserIn } from '../../../harness/erasure/eraser.ts';
import { callsOf, isAny, pausedBefore } from '../../../harness/erasure/paused-worker.ts';
import { life, pocket, watch } from '../../../harness/erasure/records.ts';
import { eventsOf, isTold, leftIn, namesOf, receiptProblems } from '../../../harness/erasure/verdict.ts';
import { openWorld, type World } from '../../../harness/erasure/world.ts';
import { faultSeeds, randomFrom } from '../../../harness/faults.ts';
import { numberWaiting } from '../../../harness/outbox.ts';

const days = 90;
const work = (id: string) => async (deps: Deps) => {
  await ingestUser(deps, id);
  await recomputeScores(deps, id);
};

export function deleteAtRandom(deletions: number): void {
  test(`${deletions} deletions at random moments`, async () => {
    const world = await openWorld();
    await world.upload(watch, life(days));
    await world.upload(pocket, life(days, 1), 'samsung_health');
    await world.upload(watch, life(days, 2));
    const calls = await callsOf(world, work(world.id), isAny);
    let largest = 0;
    for (const seed of faultSeeds(deletions)) {
      const { problems, erased } = await deletedAt(world.copied(), calls.length, randomFrom(seed));
      expect(problems, `seed ${seed}`).toEqual([]);
      largest = Math.max(largest, erased);
    }
    expect(largest).toBeGreaterThan(500);
  });
}

async function deletedAt(world: World, calls: number, random: () => number) {
  const upTo = (most: number): number => 1 + Math.floor(random() * most);
  const eraser = eraserIn(world);
  const workers = [pausedBefore(world, upTo(calls), work(world.id), isAny)];
  if (random() < 0.5) workers.push(pausedBefore(world, upTo(calls), work(world.id), isAny));
  await Promise.all(workers.map(({ stopped }) => stopped));
  await world.delete();
  await numberWaiting(world.deps);
  const [names, toldBefore] = [namesOf(world.table.rows(), world.id), eventsOf(world)];

  // They go on while erasers come, one of which dies; the last of them at the end of its life, or
  // after it.
  const [first, ...others] = workers;
  await Promise.all([eraser.come(upTo(60)), first?.goOn(), eraser.come()]);
  world.clock.advance(random() < 0.5 ? longestLifeMs - 1 : longestLifeMs);
  await Promise.all([eraser.come(upTo(60)), ...others.map((worker) => worker.goOn())]);
  const problems = isTold(world) ? ['the receipt came too early'] : [];
  names.push(...namesOf(world.table.rows(), world.id));

  world.clock.advance(workerLifeMs);
  await Promise.all([eraser.come(upTo(10)), eraser.come(), eraser.come(upTo(60))]);
  await eraser.come();
  problems.push(...leftIn(world.table.rows(), names), ...receiptProblems(world, toldBefore, eraser.removed));
  return { problems, erased: eraser.removed.length };
}
