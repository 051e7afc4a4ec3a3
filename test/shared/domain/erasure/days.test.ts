// A user goes while its days are rebuilt or scored, or a device of it leaves them.
import { expect, test } from 'vitest';
import { patchConfiguration } from '../../../../shared/domain/consolidation/configuration.ts';
import { disconnectDevice } from '../../../../shared/domain/devices/devices.ts';
import { subjectOf } from '../../../../shared/domain/users/subject.ts';
import { workerLifeMs } from '../../../../shared/domain/work/worker-life.ts';
import { everyRace } from '../../../harness/erasure/race.ts';
import { life, pocket, watch } from '../../../harness/erasure/records.ts';
import { openWorld, type World } from '../../../harness/erasure/world.ts';
import { write } from '../../../harness/write-person.ts';

async function livedIn(): Promise<World> {
  const world = await openWorld();
  await world.upload(watch, life(3));
  await world.upload(pocket, life(3, 1), 'samsung_health');
  await write(world.deps, world.id);
  return world;
}
const useLargest = { metrics: { steps: { method: 'max' } } } as const;

test('a rebuild after a change of settings', async () => {
  const world = await livedIn();
  await patchConfiguration(world.deps, world.caller, world.id, useLargest);
  const { writes, problems } = await everyRace(world, (deps) => write(deps, world.id));
  expect(problems).toEqual([]);
  expect(writes.filter((write) => write.startsWith('write put D#'))).toHaveLength(3);
});

test('the change of settings itself', async () => {
  const world = await livedIn();
  const { writes, problems } = await everyRace(world, (deps) =>
    patchConfiguration(deps, world.caller, world.id, useLargest),
  );
  expect(problems).toEqual([]);
  expect(writes).toHaveLength(1);
});

test('scoring', async () => {
  const world = await livedIn();
  world.clock.advance(60_000);
  const { writes, problems } = await everyRace(world, (deps) => write(deps, world.id));
  expect(problems).toEqual([]);
  expect(writes.some((write) => write.includes('put S#'))).toBe(true);
});

test('a device that is disconnected, and the second look at it', async () => {
  const world = await livedIn();
  const device = (await subjectOf(world.deps, world.id))?.devices.find(({ model }) => model === watch.model);
  if (!device) throw new Error('there is no watch');
  const leaving = await everyRace(world, async (deps) => {
    await disconnectDevice(deps, world.caller, world.id, device.id);
    await write(deps, world.id);
  });
  expect(leaving.problems).toEqual([]);
  for (const kind of ['delete SDK#', 'delete T#', 'put Z#', 'delete H#', 'put W#', 'put N#', 'put D#'])
    expect(leaving.writes.some((write) => write.includes(kind))).toBe(true);

  await disconnectDevice(world.deps, world.caller, world.id, device.id);
  await write(world.deps, world.id);
  world.clock.advance(workerLifeMs);
  const looking = await everyRace(world, (deps) => write(deps, world.id));
  expect(looking.problems).toEqual([]);
  expect(looking.writes.some((write) => write.includes('put GONE#'))).toBe(true);
});
