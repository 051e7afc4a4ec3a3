// Deletions at random moments of a large pass and of an upload at the door, with erasers that die and
// come again: nothing is left, and everything is counted once.
import { expect, test } from 'vitest';
import { longestLifeMs } from '../../../functions/runtime/life.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { eraserIn } from '../../harness/erasure/eraser.ts';
import { callsOf, isAny, pausedBefore } from '../../harness/erasure/paused-worker.ts';
import { life, pocket, watch } from '../../harness/erasure/records.ts';
import { eventsOf, isTold, leftIn, namesOf, receiptProblems } from '../../harness/erasure/verdict.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { faultSeeds, randomFrom } from '../../harness/faults.ts';
import { numberWaiting } from '../../harness/outbox.ts';
import { write } from '../../harness/write-person.ts';

const days = 90;
const work = (id: string) => async (deps: Deps) => {
  await write(deps, id);
  await write(deps, id);
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
  const pass = pausedBefore(eraser.place, upTo(calls), work(world.id), isAny);
  await pass.stopped;
  // A phone stands somewhere at the door: before its command, between that and its raw data, or behind both.
  const phone = await world.phone();
  const body = UploadBody.parse({ time_zone: 'UTC', device: watch, ...life(2, 3) });
  const upload = pausedBefore(world, upTo(4), (deps) => acceptUpload(deps, phone, body));
  await upload.stopped;
  await world.delete();
  await numberWaiting(world.deps);
  const [names, toldBefore] = [namesOf(world.table.rows(), world.id), eventsOf(world)];

  // The pass ends, or its life does; then erasers come, some of which die, and the phone goes on between two of them.
  if (random() < 0.5) await pass.goOn();
  else world.clock.advance(2 * longestLifeMs);
  const deaths = upTo(3) - 1;
  for (let death = 0; death < deaths; death++) await eraser.come(upTo(60));
  if (random() < 0.5) await upload.goOn();
  await eraser.come();
  const problems = isTold(world) ? [] : ['the receipt did not come at once'];
  await upload.goOn();
  await pass.goOn();
  names.push(...namesOf(world.table.rows(), world.id));
  await eraser.comeWhileDue();
  problems.push(...leftIn(world.table.rows(), names), ...receiptProblems(world, toldBefore, eraser.removed));
  return { problems, erased: eraser.removed.length };
}
