// Erasers come twice at once, die after any of their writes and come again: everything goes, and is counted once.
import { describe, expect, test } from 'vitest';
import { eraseUser } from '../../../../shared/domain/erasure/erase-user.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import { dayRows } from '../../../../shared/store/days.ts';
import { sampleRows } from '../../../../shared/store/samples.ts';
import { type Eraser, eraserIn } from '../../../harness/erasure/eraser.ts';
import { pausedBefore } from '../../../harness/erasure/paused-worker.ts';
import { eventsOf, leftIn, namesOf, receiptProblems } from '../../../harness/erasure/verdict.ts';
import { openWorld, type World } from '../../../harness/erasure/world.ts';
import { eventsIn, numberWaiting, oneTo } from '../../../harness/outbox.ts';

/** More rows than an eraser takes in one step: days of samples, and tokens that stand elsewhere too. */
async function crowded(rows = 620): Promise<World> {
  const world = await openWorld();
  const { store } = world.deps;
  const startMs = Date.UTC(2026, 2, 10);
  const samples = [{ startMs, endMs: startMs, value: 60, offsetMinutes: null }];
  for (const device of oneTo(rows))
    await sampleRows(store).replace(world.id, { metric: 'heart_rate', utcDay: '2026-03-10', device }, samples, 0);
  await world.delete();
  return world;
}

async function problemsAfter(world: World, work: (eraser: Eraser) => Promise<unknown>): Promise<string[]> {
  const [eraser, names, toldBefore] = [eraserIn(world), namesOf(world.table.rows(), world.id), eventsOf(world)];
  await work(eraser);
  world.clock.advance(workerLifeMs);
  await eraser.come();
  return [...leftIn(world.table.rows(), names), ...receiptProblems(world, toldBefore, eraser.removed)];
}

/** The counts of two steps and their rows, in calls of 25. */
const mostWrites = 30;

test('an eraser that dies after any of its writes', async () => {
  const world = await crowded();
  for (const writes of oneTo(mostWrites))
    expect(await problemsAfter(world.copied(), (eraser) => eraser.come(writes)), `${writes} writes`).toEqual([]);
});

test('two erasers at the same time, and one of them dies after any of its writes', async () => {
  const world = await crowded();
  for (const writes of oneTo(mostWrites)) {
    const both = (eraser: Eraser) => Promise.all([eraser.come(writes), eraser.come()]);
    expect(await problemsAfter(world.copied(), both), `${writes} writes`).toEqual([]);
  }
});

test('of two that finish at the same moment neither fails', async () => {
  const world = await openWorld();
  await world.delete();
  await numberWaiting(world.deps);
  await eraseUser(world.deps, world.id);
  world.clock.advance(workerLifeMs);
  const finished = await Promise.allSettled([1, 2].map(() => eraseUser(world.deps, world.id)));
  expect(finished.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
  expect(eventsIn(world.table.rows()).filter(({ type }) => type === 'user.deleted')).toHaveLength(1);
});

test('three that die one after the other', async () => {
  const world = await crowded();
  for (const writes of oneTo(mostWrites)) {
    const dying = async (eraser: Eraser) => {
      for (const more of [0, 1, 2]) await eraser.come(writes + more);
    };
    expect(await problemsAfter(world.copied(), dying), `${writes} writes`).toEqual([]);
  }
});

test('one that stands before any of its writes while another goes some way, or to the end', async () => {
  const world = await crowded();
  const [writesOfOne, some] = [4, 15];
  for (const n of oneTo(writesOfOne))
    for (const writes of [...oneTo(some), Number.POSITIVE_INFINITY]) {
      const overtaken = async (eraser: Eraser) => {
        const paused = eraser.pausedBefore(n);
        await paused.stopped;
        expect(paused.calls()).toHaveLength(n);
        await eraser.come(writes);
        await paused.goOn();
      };
      expect(await problemsAfter(world.copied(), overtaken), `before ${n}, ${writes} of the other`).toEqual([]);
    }
});

describe('an eraser that dies while a worker goes on writing', () => {
  test('rows that come to stand before those that are counted push none of them out', async () => {
    const world = await crowded();
    for (const writes of oneTo(mostWrites)) {
      const own = world.copied();
      const packed = Uint8Array.of(0x12);
      const worker = pausedBefore(own, 1, async ({ store }) => {
        for (const day of oneTo(9))
          await dayRows(store).replaceCanonical(own.id, { date: `2026-03-0${day}`, packed, from: 1, generation: 0 });
      });
      const died = await problemsAfter(own, async (eraser) => {
        await eraser.come(writes);
        await worker.goOn();
        await eraser.come();
      });
      expect(died, `${writes} writes`).toEqual([]);
    }
  });
});
