// Erasers crash after any of their writes and run again, or stall and are overtaken: everything is
// erased and counted once.
import { expect, test } from 'vitest';
import { maxRunDurationMs } from '../../../functions/runtime/run-deadline.ts';
import { sampleRows } from '../../../shared/measurements/rows/sample-rows.ts';
import { createEraser, type Eraser } from '../../harness/erasure/eraser.ts';
import {
  collectIds,
  findLeftovers,
  findReceiptProblems,
  listUserEvents,
} from '../../harness/erasure/erasure-checks.ts';
import { makeRecords, watch } from '../../harness/erasure/records.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { oneTo } from '../../harness/outbox.ts';

/** More rows than an eraser handles in one step: days of samples. */
async function createLargeWorld(rows = 620): Promise<World> {
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
  const [eraser, names, eventsBefore] = [
    createEraser(world),
    collectIds(world.table.rows(), world.id),
    listUserEvents(world),
  ];
  await work(eraser);
  await eraser.run();
  await eraser.runWhileDue();
  return [...findLeftovers(world.table.rows(), names), ...findReceiptProblems(world, eventsBefore, eraser.removedKeys)];
}

/** Covers the counts of two steps and their rows, in calls of 25. */
const maxWrites = 30;

test('an eraser that crashes after any of its writes leaves nothing once it runs again', async () => {
  const world = await createLargeWorld();
  for (const writes of oneTo(maxWrites))
    expect(await problemsAfter(world.copy(), (eraser) => eraser.run(writes)), `${writes} writes`).toEqual([]);
});

test('three erasers that crash one after the other leave nothing once one runs again', async () => {
  const world = await createLargeWorld();
  for (const writes of oneTo(maxWrites)) {
    const crashThreeTimes = async (eraser: Eraser) => {
      for (const more of [0, 1, 2]) await eraser.run(writes + more);
    };
    expect(await problemsAfter(world.copy(), crashThreeTimes), `${writes} writes`).toEqual([]);
  }
});

test('an eraser that stalls before any of its writes writes nothing more once another one has overtaken it', async () => {
  const world = await createLargeWorld();
  const [writesOfOne, some] = [4, 15];
  for (const n of oneTo(writesOfOne))
    for (const writes of [...oneTo(some), Number.POSITIVE_INFINITY]) {
      const own = world.copy();
      const overtaken = async (eraser: Eraser) => {
        const paused = eraser.pauseBefore(n);
        await paused.stopped;
        expect(paused.calls()).toHaveLength(n);
        own.clock.advance(2 * maxRunDurationMs);
        await eraser.run(writes);
        await paused.resume();
        expect(paused.lateWrites().filter(({ tooLate }) => !tooLate)).toEqual([]);
      };
      expect(await problemsAfter(own, overtaken), `stalled before write ${n}, ${writes} writes of the other`).toEqual(
        [],
      );
    }
});

test('an eraser whose last response is lost runs again and sends no event twice', async () => {
  const world = await openWorld();
  await world.upload(watch, makeRecords(1));
  await world.delete();
  const eraser = createEraser(world);
  for (const _time of oneTo(3)) await eraser.run();
  await eraser.runWhileDue();
  expect(listUserEvents(world).filter(({ type }) => type === 'user.deleted')).toHaveLength(1);
});
