// A user is deleted while its days are rebuilt or scored, or while the data of a device is removed
// from them.
import { expect, test } from 'vitest';
import { disconnectDevice } from '../../../shared/connections/disconnect.ts';
import { patchConfiguration } from '../../../shared/consolidation/configuration.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { readUserContext } from '../../../shared/users/user-context.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { runEveryPassRace, runEveryRace } from '../../harness/erasure/race.ts';
import { makeRecords, phoneDevice, watch } from '../../harness/erasure/records.ts';
import { openWorld, type World } from '../../harness/erasure/world.ts';
import { runWriter } from '../../harness/run-writer.ts';

async function livedIn(): Promise<World> {
  const world = await openWorld();
  await world.upload(watch, makeRecords(3));
  await world.upload(phoneDevice, makeRecords(3, 1), 'samsung_health');
  await runWriter(world.deps, world.id);
  return world;
}
const useLargest = { metrics: { steps: { method: 'max' } } } as const;

test('a rebuild after a settings change leaves nothing of a deleted user', async () => {
  const world = await livedIn();
  await patchConfiguration(world.deps, world.caller, world.id, useLargest);
  const { writes, problems } = await runEveryPassRace(world);
  expect(problems).toEqual([]);
  expect(writes.filter((each) => each.startsWith('write put D#'))).toHaveLength(3);
});

test('a settings change leaves nothing of a deleted user', async () => {
  const world = await livedIn();
  const { writes, problems } = await runEveryRace(world, (deps) =>
    patchConfiguration(deps, world.caller, world.id, useLargest),
  );
  expect(problems).toEqual([]);
  expect(writes).toHaveLength(1);
});

test('scoring after a profile change leaves nothing of a deleted user', async () => {
  const world = await livedIn();
  await updateUser(world.deps, world.caller, world.id, { profile: { date_of_birth: '1950-01-01', sex: 'male' } });
  const { writes, problems } = await runEveryPassRace(world);
  expect(problems).toEqual([]);
  expect(writes.some((each) => each.includes('delete !DO#rescore'))).toBe(true);
});

test('a disconnect and the removal of its data leave nothing of a deleted user', async () => {
  const world = await livedIn();
  const device = (await readUserContext(world.deps, world.id))?.devices.find(({ model }) => model === watch.model);
  if (!device) throw new Error('The watch is missing.');
  const disconnect = (deps: Deps) => disconnectDevice(deps, world.caller, world.id, device.id);
  const disconnecting = await runEveryRace(world, disconnect);
  expect(disconnecting.problems).toEqual([]);
  expect(disconnecting.writes.some((each) => each.includes('delete SDK#'))).toBe(true);

  await disconnect(world.deps);
  const leaving = await runEveryPassRace(world);
  expect(leaving.problems).toEqual([]);
  for (const kind of ['delete T#', 'put Z#', 'delete H#', 'put W#', 'put N#', 'put D#', 'put GONE#'])
    expect([kind, leaving.writes.some((each) => each.includes(kind))]).toEqual([kind, true]);
});
