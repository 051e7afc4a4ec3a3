import { expect, test } from 'vitest';
import { beginConnection } from '../../../../shared/connections/connect/begin-connection.ts';
import { disconnectDevice } from '../../../../shared/connections/disconnect.ts';
import { recordNotifications } from '../../../../shared/connections/push/record-notifications.ts';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import { eraseUser } from '../../../../shared/erasure/erase-user.ts';
import type { Table } from '../../../../shared/platform/ports.ts';
import type { ProviderCall } from '../../../../shared/sandbox/provider-server/provider-call.ts';
import { wakeDue } from '../../../../shared/system/wake-pending.ts';
import { getAuthorizedUserContext } from '../../../../shared/users/authorized-user.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { completeCallback, noInitiator } from '../../../harness/browser.ts';
import { isRefreshCall } from '../../../harness/fake-provider.ts';
import { hours, minutes, ouraNight, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const isRevocationCall = ({ path }: ProviderCall): boolean => path.endsWith('/oauth/revoke');

async function connectAccounts(accounts: readonly string[] = ['ann@oura']) {
  const world = syncWorld();
  const made: { user: string; device: string }[] = [];
  for (const account of accounts) {
    world.fakeProvider.fixtures.write('oura', account, { sleep: [ouraNight('n1', '2026-03-12')] });
    const user = await world.user();
    made.push({ user, device: await world.connect(user, account) });
  }
  await world.processQueue();
  world.fakeProvider.requests.length = 0;
  const [first] = made;
  if (!first) throw new Error('nobody is connected');
  return { world, made, ...first };
}

test('a disconnect ends the connection at once, revokes the consent and leaves no token', async () => {
  const { world, user, device } = await connectAccounts();
  await disconnectDevice(world.deps, world.caller, user, device);
  expect(await listDevices(world.deps, world.caller, user)).toEqual([]);
  expect(world.events('device.disconnected')).toHaveLength(1);
  await world.push({ event_type: 'update', data_type: 'sleep', object_id: 'n1', user_id: 'ann@oura' });
  expect(world.fakeProvider.requests).toEqual([]);
  await world.processQueue();
  expect(world.fakeProvider.requests.filter(isRevocationCall)).toHaveLength(1);
  expect([await world.readConnection(user, device), await world.pendingRevocation(user, device)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(await world.nights(user)).toEqual([]);
  await disconnectDevice(world.deps, world.caller, user, device);
  await world.passTime(hours(30));
  expect([
    world.events('device.disconnected').length,
    world.fakeProvider.requests.filter(isRevocationCall).length,
  ]).toEqual([1, 1]);
});

test('an unavailable provider does not block a disconnect, and the consent is revoked once it is back', async () => {
  const { world, user, device } = await connectAccounts();
  const end = world.fakeProvider.fault(isRevocationCall, 'timeout');
  await disconnectDevice(world.deps, world.caller, user, device);
  await world.processQueue();
  expect(await listDevices(world.deps, world.caller, user)).toEqual([]);
  for (let i = 0; i < 10; i++) await world.passTime(hours(1));
  expect(await world.pendingRevocation(user, device)).toBeDefined();
  end();
  await world.passTime(hours(2));
  expect(await world.pendingRevocation(user, device)).toBeUndefined();
});

test('tokens are erased after a day, whether or not the revocation succeeded', async () => {
  const { world, user, device } = await connectAccounts();
  world.fakeProvider.fault(isRevocationCall, { status: 500, headers: {}, text: '' });
  await disconnectDevice(world.deps, world.caller, user, device);
  for (let i = 0; i < 30; i++) await world.passTime(hours(1));
  expect([await world.readConnection(user, device), await world.pendingRevocation(user, device)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(world.fakeProvider.requests.filter(isRevocationCall).length).toBeLessThan(40);
  expect(world.log.some(({ message }) => message === 'revocation_given_up')).toBe(true);
});

test('an expired token is refreshed so that it can be revoked, and a dead one needs no revocation', async () => {
  const { world, made } = await connectAccounts(['ann@oura', 'bob']);
  world.clock.advance(hours(30));
  const [ann, bob] = made;
  await disconnectDevice(world.deps, world.caller, ann?.user ?? '', ann?.device ?? '');
  await world.processQueue();
  expect([
    world.fakeProvider.requests.filter(isRefreshCall).length,
    world.fakeProvider.requests.filter(isRevocationCall).length,
  ]).toEqual([1, 1]);
  world.fakeProvider.fault(isRefreshCall, {
    status: 400,
    headers: {},
    text: JSON.stringify({ error: 'invalid_grant' }),
  });
  await disconnectDevice(world.deps, world.caller, bob?.user ?? '', bob?.device ?? '');
  await world.processQueue();
  expect(world.fakeProvider.requests.filter(isRevocationCall)).toHaveLength(1);
  expect(await world.pendingRevocation(bob?.user ?? '', bob?.device ?? '')).toBeUndefined();
});

test('a consent that another device uses is not revoked', async () => {
  const { world, made } = await connectAccounts(['ann@oura', 'ann@oura']);
  const [first, second] = made;
  await disconnectDevice(world.deps, world.caller, first?.user ?? '', first?.device ?? '');
  await world.processQueue();
  expect(world.fakeProvider.requests.filter(isRevocationCall)).toEqual([]);
  await disconnectDevice(world.deps, world.caller, second?.user ?? '', second?.device ?? '');
  await world.processQueue();
  expect(world.fakeProvider.requests.filter(isRevocationCall)).toHaveLength(1);
});

test('reconnecting an account revokes nothing, and connecting another account revokes the old consent', async () => {
  const { world, user, device } = await connectAccounts();
  const second = await connectAgain(world, user, 'ann@oura');
  await world.processQueue();
  expect([await world.readConnection(user, device), world.fakeProvider.requests.filter(isRevocationCall)]).toEqual([
    undefined,
    [],
  ]);
  const third = await connectAgain(world, user, 'other');
  await world.passTime(minutes(1));
  expect(world.fakeProvider.requests.filter(isRevocationCall)).toHaveLength(1);
  const shown = (await listDevices(world.deps, world.caller, user)).map(({ id, status, error }) => ({
    id,
    status,
    error,
  }));
  expect(shown.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
    [
      { id: device, status: 'replaced', error: 'replaced' },
      { id: second, status: 'replaced', error: 'replaced' },
      { id: third, status: 'active', error: null },
    ].sort((a, b) => (a.id < b.id ? -1 : 1)),
  );
  expect(world.events('device.disconnected')).toEqual([]);
  expect((await world.nights(user)).length).toBeGreaterThan(0);
  await disconnectDevice(world.deps, world.caller, user, device);
  expect(world.events('device.disconnected')).toMatchObject([{ device }]);
});

test('the consents of a deleted user are revoked', async () => {
  const { world, user } = await connectAccounts();
  await deleteUser(world.deps, world.caller, user);
  await eraseUser(world.deps, user);
  await world.processQueue();
  expect(world.fakeProvider.requests.filter(isRevocationCall)).toHaveLength(1);
  world.clock.advance(minutes(2));
  await eraseUser(world.deps, user);
  expect(world.events('user.deleted')).toHaveLength(1);
  expect(JSON.stringify(world.table.rows())).not.toContain('ann@oura');
});

test('a notification for a connection that has just ended wakes no worker', async () => {
  const { world, user, device } = await connectAccounts();
  await disconnectDevice(world.deps, world.caller, user, device);
  world.queued.length = 0;
  await recordNotifications(world.deps, 'oura', { user, device }, [
    { account: 'ann@oura', what: 'object', resource: 'sleep', id: 'n1' },
  ]);
  expect(world.queued).toEqual([]);
});

test('a worker stops when its user is deleted between two steps', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann@oura');
  let writes = 0;
  world.queued.length = 0;
  const deleting: Table = {
    ...world.table,
    async transact(...params) {
      writes += 1;
      if (writes === 1) await deleteUser(world.deps, world.caller, user);
      if (writes > 20) throw new Error('The worker does not stop.');
      return world.table.transact(...params);
    },
  };
  await syncConnection(world.withTable(deleting), user, device);
  expect(writes).toBe(1);
});

test('nothing is fetched or due for a user who is being deleted', async () => {
  const { world, user, device } = await connectAccounts();
  world.clock.advance(hours(7));
  world.clock.freeze();
  await deleteUser(world.deps, world.caller, user);
  await syncConnection(world.deps, user, device);
  expect(world.fakeProvider.requests).toEqual([]);
  await wakeDue(world.deps, 'sync');
  expect(world.queued.filter(({ queue }) => queue === 'connection')).toEqual([]);
});

async function connectAgain(world: SyncWorld, user: string, account: string): Promise<string> {
  const context = await getAuthorizedUserContext(world.deps, world.caller, user);
  const origin = 'https://day.example';
  const params = { provider: 'oura', redirectUrl: null, returnTo: null, origin, ...noInitiator } as const;
  const { id, auth_url } = (await beginConnection(world.deps, context.user, context.devices, params)).pending;
  const code = world.fakeProvider.code('oura', account, `${origin}/connect/callback/oura`);
  await completeCallback(world.deps, auth_url, { code });
  return id;
}
