// A deletion that takes long: whoever began while it was under way knew the user still.
import { expect, test } from 'vitest';
import { deleteUser } from '../../../../shared/domain/erasure/delete-user.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import { longestLifeMs } from '../../../../shared/runtime/life.ts';
import { eraserIn } from '../../../harness/erasure/eraser.ts';
import { callsOf, pausedBefore } from '../../../harness/erasure/paused-worker.ts';
import { life, watch } from '../../../harness/erasure/records.ts';
import { isTold, leftIn, namesOf } from '../../../harness/erasure/verdict.ts';
import { openWorld } from '../../../harness/erasure/world.ts';
import { oneTo } from '../../../harness/outbox.ts';
import { write } from '../../../harness/write-person.ts';

test('the receipt outlasts a worker that began before a slow deletion was done', async () => {
  const before = await openWorld();
  await before.upload(watch, life(2));
  const work = (deps: Parameters<typeof write>[0]) => write(deps, before.id);
  const writes = await callsOf(before, work);
  for (const n of oneTo(writes.length)) {
    const world = before.copied();
    const deletion = pausedBefore(world, 1, (deps) => deleteUser(deps, world.caller, world.id));
    await deletion.stopped;
    world.clock.advance(longestLifeMs - 1_000);
    const worker = pausedBefore(world, n, work);
    await worker.stopped;
    const names = namesOf(world.table.rows(), world.id);
    await deletion.goOn();
    const eraser = eraserIn(world);
    await eraser.come();
    world.clock.advance(longestLifeMs - 1);
    await eraser.come();
    expect(isTold(world)).toBe(false);
    await worker.goOn();
    world.clock.advance(workerLifeMs);
    await eraser.come();
    expect(isTold(world)).toBe(true);
    expect(leftIn(world.table.rows(), names)).toEqual([]);
  }
});
