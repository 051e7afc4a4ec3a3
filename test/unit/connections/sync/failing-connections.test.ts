// The list of connections that keep failing, which the console counts by provider.
import { afterAll, expect, test } from 'vitest';
import { disconnectDevice } from '../../../../shared/connections/disconnect.ts';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { syncRows } from '../../../../shared/connections/sync-rows.ts';
import type { Meter } from '../../../../shared/platform/ports.ts';
import { hours, ouraNight, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';
import { startTable } from '../../system/engines.ts';

const calls: Parameters<Meter>[0][] = [];
const localTable = await startTable(undefined, (call) => calls.push(call));
afterAll(() => localTable.stop());

const answer = (status: number) => ({ status, headers: {}, text: '' });

const listFailing = ({ deps, caller }: SyncWorld, limit = 10) =>
  syncRows(deps.store).listFailing(caller.account, caller.env, limit);

async function connectUser(world: SyncWorld, name: string) {
  const user = await world.user();
  world.fakeProvider.fixtures.write('oura', name, { sleep: [ouraNight(`night-${name}`, '2026-03-12')] });
  const device = await world.connect(user, name);
  await world.processQueue();
  return { user, device };
}

async function passHours(world: SyncWorld, count: number): Promise<void> {
  for (let hour = 0; hour < count; hour++) await world.passTime(hours(1));
}

test('a connection is listed from its second failure in a row until a sync succeeds, with when it began', async () => {
  const world = syncWorld();
  const { user } = await connectUser(world, 'ann');
  await connectUser(world, 'bob');
  expect(await listFailing(world)).toEqual({ connections: [], isPart: false });
  const end = world.fakeProvider.fault(() => true, answer(503));
  await passHours(world, 8);
  const { connections } = await listFailing(world);
  expect(connections.map(({ provider }) => provider)).toEqual(['oura', 'oura']);
  const since = connections.find((each) => each.user === user)?.sinceMs;
  await passHours(world, 8);
  const later = (await listFailing(world)).connections;
  expect(later.find((each) => each.user === user)?.sinceMs).toBe(since);
  expect(await listFailing(world, 1)).toMatchObject({ connections: [{ provider: 'oura' }], isPart: true });
  const other = await syncRows(world.deps.store).listFailing('acc_other', world.caller.env, 10);
  expect(other).toEqual({ connections: [], isPart: false });
  end();
  await passHours(world, 24);
  expect(await listFailing(world)).toEqual({ connections: [], isPart: false });
});

test('a single failure is not listed', async () => {
  const world = syncWorld();
  await connectUser(world, 'ann');
  world.fakeProvider.fault(() => true, answer(503), 1);
  for (let hour = 0; hour < 12; hour++) {
    await world.passTime(hours(1));
    expect((await listFailing(world)).connections).toEqual([]);
  }
});

test('a device that is disconnected is no longer listed', async () => {
  const world = syncWorld();
  const { user, device } = await connectUser(world, 'ann');
  world.fakeProvider.fault(() => true, answer(503));
  await passHours(world, 8);
  expect((await listFailing(world)).connections).toHaveLength(1);
  await disconnectDevice(world.deps, world.caller, user, device);
  expect((await listFailing(world)).connections).toEqual([]);
});

test('a failed sync writes one unit more when it enters the list, and no more after that', async () => {
  const world = syncWorld({ engine: localTable.table });
  const { user, device } = await connectUser(world, 'ann');
  world.fakeProvider.fault(() => true, answer(503));
  const commits: (number | undefined)[] = [];
  for (let time = 0; time < 4; time++) {
    world.clock.advance(hours(24));
    calls.length = 0;
    await syncConnection(world.deps, user, device);
    commits.push(calls.at(-1)?.writeUnits);
  }
  expect(commits).toEqual([3, 4, 3, 3]);
});
