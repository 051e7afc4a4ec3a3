// Devices that await consent: how many there may be, and which of them are removed to make room.
import { expect, test } from 'vitest';
import { beginConnection, type ConnectionRequest } from '../../../../shared/connections/connect/begin-connection.ts';
import { startAuthorization } from '../../../../shared/connections/connect/complete-connection.ts';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import { getAuthorizedUserContext } from '../../../../shared/users/authorized-user.ts';
import { deviceRows } from '../../../../shared/users/device-rows.ts';
import { maxDevices } from '../../../../shared/users/device-states.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { completeCallback, noInitiator } from '../../../harness/browser.ts';
import { addDevice, deviceRow } from '../../../harness/stored-data.ts';
import { minutes, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const origin = 'https://day.example';
const oura: ConnectionRequest = { provider: 'oura', redirectUrl: null, returnTo: null, origin, ...noInitiator };

async function createUser() {
  const world = syncWorld();
  return { world, user: await world.user() };
}
const readUserContext = ({ deps, caller }: SyncWorld, user: string) => getAuthorizedUserContext(deps, caller, user);
const stateOf = (link: string): string => link.slice(link.lastIndexOf('/') + 1);

/** Begins a connection one second after the previous one. */
async function beginOne(world: SyncWorld, user: string, known?: Awaited<ReturnType<typeof readUserContext>>) {
  world.clock.advance(1_000);
  const context = known ?? (await readUserContext(world, user));
  const { id, auth_url } = (await beginConnection(world.deps, context.user, context.devices, oura)).pending;
  return { id, link: auth_url, state: stateOf(auth_url) };
}
async function beginSeveral(world: SyncWorld, user: string, count: number) {
  const all: Awaited<ReturnType<typeof beginOne>>[] = [];
  for (let at = 0; at < count; at++) all.push(await beginOne(world, user));
  return all;
}
const listDeviceIds = async ({ deps, caller }: SyncWorld, user: string) =>
  (await listDevices(deps, caller, user)).map(({ id }) => id).sort();
const completeConsent = ({ deps, fakeProvider }: SyncWorld, link: string) =>
  completeCallback(deps, link, { code: fakeProvider.code('oura', 'ann', `${origin}/connect/callback/oura`) });
const browser = 'b'.repeat(22);

test('at most three devices of a provider await consent: the oldest is removed and its link becomes unknown', async () => {
  const { world, user } = await createUser();
  const [first, ...others] = await beginSeveral(world, user, 4);
  expect(await listDeviceIds(world, user)).toEqual(others.map(({ id }) => id).sort());
  expect(await startAuthorization(world.deps, first?.state ?? '', { browser })).toMatchObject({
    problem: 'unknown_link',
  });
  for (const { state } of others)
    expect(await startAuthorization(world.deps, state, { browser })).toHaveProperty('authorizeUrl');
});

test('failed devices make room as well', async () => {
  const { world, user } = await createUser();
  const [failed, ...others] = await beginSeveral(world, user, 3);
  const denied = completeCallback(world.deps, failed?.link ?? '', { error: 'access_denied' });
  expect(await denied).toMatchObject({ problem: 'access_denied' });
  const last = await beginOne(world, user);
  expect(await listDeviceIds(world, user)).toEqual([...others, last].map(({ id }) => id).sort());
});

test('devices of another provider and connected devices are not removed', async () => {
  const { world, user } = await createUser();
  const other = deviceRow({ id: 'dev_0', ordinal: -1, provider: 'garmin', status: 'pending' });
  await world.deps.store.commit([deviceRows(world.deps.store).buildInsert(user, other)]);
  const [first] = await beginSeveral(world, user, 1);
  const before = await readUserContext(world, user);
  expect((await completeConsent(world, first?.state ?? '')).problem).toBeUndefined();
  await beginSeveral(world, user, 2);
  // A stale read, in which the device still awaits consent, must not remove it.
  const waiting = (await readUserContext(world, user)).devices.filter(({ id }) => id !== first?.id);
  await beginOne(world, user, { ...before, devices: [...before.devices, ...waiting] });
  expect(await listDeviceIds(world, user)).toEqual(expect.arrayContaining(['dev_0', first?.id]));
  const shown = await listDevices(world.deps, world.caller, user);
  expect(shown.find(({ id }) => id === first?.id)?.status).toBe('active');
});

test('a device whose consent is being exchanged is not removed', async () => {
  const { world, user } = await createUser();
  const inExchange = await beginOne(world, user);
  let isFirst = true;
  world.fakeProvider.beforeReply = async () => {
    if (!isFirst) return;
    isFirst = false;
    await beginSeveral(world, user, 3);
  };
  expect((await completeConsent(world, inExchange.state)).problem).toBeUndefined();
  const shown = await listDevices(world.deps, world.caller, user);
  expect(shown.find(({ id }) => id === inExchange.id)?.status).toBe('active');
});

test('no device awaits consent for a user at the device limit or for a deleted user', async () => {
  const { world, user } = await createUser();
  const before = await readUserContext(world, user);
  for (let at = 0; at < maxDevices; at++) await addDevice(world.deps, user, { provider: 'garmin' });
  await expect(beginOne(world, user)).rejects.toMatchObject({ code: 'limit_reached', details: { limit: maxDevices } });
  await deleteUser(world.deps, world.caller, user);
  world.clock.advance(minutes(1));
  await expect(beginOne(world, user, before)).rejects.toThrow();
  expect(world.table.rows().filter(({ status }) => status === 'pending')).toEqual([]);
});
