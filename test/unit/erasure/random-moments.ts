// Deletes users at random moments of a large pass and of an upload, with erasers that crash and run
// again: nothing is left, and everything is counted once.
import { expect, test } from 'vitest';
import { maxRunDurationMs } from '../../../functions/runtime/run-deadline.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { createEraser } from '../../harness/erasure/eraser.ts';
import {
  collectIds,
  findLeftovers,
  findReceiptProblems,
  hasDeletionEvent,
  listUserEvents,
} from '../../harness/erasure/erasure-checks.ts';
import { isAnyCall, listCalls, pauseBeforeCall } from '../../harness/erasure/paused-worker.ts';
import { makeRecords, phoneDevice, watch } from '../../harness/erasure/records.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { faultSeeds, randomFrom } from '../../harness/faults.ts';
import { numberPendingEvents } from '../../harness/outbox.ts';
import { runWriter } from '../../harness/run-writer.ts';

const days = 90;
const work = (id: string) => async (deps: Deps) => {
  await runWriter(deps, id);
  await runWriter(deps, id);
};

export function deleteAtRandom(deletions: number): void {
  test(`${deletions} deletions at random moments leave nothing and count everything once`, async () => {
    const world = await openWorld();
    await world.upload(watch, makeRecords(days));
    await world.upload(phoneDevice, makeRecords(days, 1), 'samsung_health');
    await world.upload(watch, makeRecords(days, 2));
    const calls = await listCalls(world, work(world.id), isAnyCall);
    let largest = 0;
    for (const seed of faultSeeds(deletions)) {
      const { problems, erased } = await deleteAt(world.copy(), calls.length, randomFrom(seed));
      expect(problems, `seed ${seed}`).toEqual([]);
      largest = Math.max(largest, erased);
    }
    expect(largest).toBeGreaterThan(500);
  });
}

async function deleteAt(world: World, calls: number, random: () => number) {
  const upTo = (max: number): number => 1 + Math.floor(random() * max);
  const eraser = createEraser(world);
  const pass = pauseBeforeCall(eraser.environment, upTo(calls), work(world.id), isAnyCall);
  await pass.stopped;
  // A phone is somewhere within an upload: before its command, between the command and its raw
  // data, or after both.
  const phone = await world.phone();
  const body = UploadBody.parse({ time_zone: 'UTC', device: watch, ...makeRecords(2, 3) });
  const upload = pauseBeforeCall(world, upTo(4), (deps) => acceptUpload(deps, phone, body));
  await upload.stopped;
  await world.delete();
  await numberPendingEvents(world.deps);
  const [names, eventsBefore] = [collectIds(world.table.rows(), world.id), listUserEvents(world)];

  // The pass ends or its deadline does. Then erasers run, some of which crash, and the phone
  // continues between two of them.
  if (random() < 0.5) await pass.resume();
  else world.clock.advance(2 * maxRunDurationMs);
  const crashes = upTo(3) - 1;
  for (let crash = 0; crash < crashes; crash++) await eraser.run(upTo(60));
  if (random() < 0.5) await upload.resume();
  await eraser.run();
  const problems = hasDeletionEvent(world) ? [] : ['the receipt was not published at once'];
  await upload.resume();
  await pass.resume();
  names.push(...collectIds(world.table.rows(), world.id));
  await eraser.runWhileDue();
  problems.push(
    ...findLeftovers(world.table.rows(), names),
    ...findReceiptProblems(world, eventsBefore, eraser.removedKeys),
  );
  return { problems, erased: eraser.removedKeys.length };
}
