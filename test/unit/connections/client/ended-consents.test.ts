import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { readPushKeys } from '../../../../shared/connections/client/push-keys.ts';
import { connectionRows } from '../../../../shared/connections/connection-rows.ts';
import type { Notification } from '../../../../shared/connections/sync-plan.ts';
import { maxNotifications, syncRows } from '../../../../shared/connections/sync-rows.ts';
import { getPushAdapter } from '../../../../shared/providers/adapters.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { isRefreshCall } from '../../../harness/fake-provider.ts';
import { hours, minutes, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const readDevice = async ({ deps, caller }: SyncWorld, user: string) => (await listDevices(deps, caller, user))[0];
const invalidTokenResponse = {
  status: 400,
  headers: {},
  text: JSON.stringify({ errors: [{ resource: 'RefreshToken', field: 'refresh_token', code: 'invalid' }] }),
};

async function connectUser() {
  const world = syncWorld({ provider: 'strava' });
  const user = await world.user();
  await world.connect(user, '4711');
  await world.processQueue();
  for (let i = 0; i < 60; i++) await world.passTime(hours(1));
  expect((await readDevice(world, user))?.sync?.state).toBe('current');
  world.fakeProvider.requests.length = 0;
  return { world, user };
}

/**
 * Pushes the end of a consent, signed with the deployment's signing secret, to the path that only
 * the provider knows.
 */
async function pushConsentEnd(world: SyncWorld, account: string): Promise<void> {
  const keys = await readPushKeys(world.deps, {
    provider: 'strava',
    env: 'live',
    credentials: world.fakeProvider.credentials,
  });
  const body = JSON.stringify({
    object_type: 'athlete',
    object_id: Number(account),
    aspect_type: 'update',
    owner_id: Number(account),
    ...(keys.subscriptionSecret === undefined ? {} : { subscription_id: Number(keys.subscriptionSecret) }),
    event_time: Math.floor(world.clock.now() / 1000),
    updates: { authorized: 'false' },
  });
  const at = String(Math.floor(world.clock.now() / 1000));
  const v1 = createHmac('sha256', world.fakeProvider.credentials.more['signing_secret'] ?? '')
    .update(`${at}.${body}`)
    .digest('hex');
  const { pathSecret } = keys;
  const response = await world.pushRaw(body, { pathSecret, headers: { 'x-strava-signature': `t=${at},v1=${v1}` } });
  expect(response).toEqual(getPushAdapter('strava')?.acceptedResponse);
  await world.processQueue();
}

test('a consent that the user ended at the provider ends here once the provider refuses to refresh the token', async () => {
  const { world, user } = await connectUser();
  world.fakeProvider.fault(isRefreshCall, invalidTokenResponse);
  await pushConsentEnd(world, '4711');
  expect(await readDevice(world, user)).toMatchObject({ status: 'disconnected', error: 'consent_ended' });
  expect(world.events('device.disconnected')).toHaveLength(1);
});

test('a false report of an ended consent disconnects nobody', async () => {
  const { world, user } = await connectUser();
  await pushConsentEnd(world, '4711');
  expect(world.fakeProvider.requests.filter(isRefreshCall)).toHaveLength(1);
  expect(await readDevice(world, user)).toMatchObject({ status: 'active', sync: { state: 'current' } });
});

test('a report is not acted on while the provider is unavailable, and is verified once it is back', async () => {
  const { world, user } = await connectUser();
  const end = world.fakeProvider.fault(isRefreshCall, 'timeout');
  await pushConsentEnd(world, '4711');
  expect(await readDevice(world, user)).toMatchObject({ status: 'active', sync: { state: 'waiting' } });
  end();
  world.fakeProvider.fault(isRefreshCall, invalidTokenResponse);
  await world.passTime(hours(1));
  expect((await readDevice(world, user))?.status).toBe('disconnected');
});

test('a report of an ended consent is not lost when the notification limit is exceeded', async () => {
  const { world, user } = await connectUser();
  const [link] = await connectionRows(world.deps.store).listLinkedDevices('strava', 'live', '4711');
  if (!link) throw new Error('nobody is connected');
  const other: Notification = { what: 'object', resource: 'activity', id: '1' };
  await syncRows(world.deps.store).record(link, Array<Notification>(maxNotifications).fill(other), world.clock.now());
  world.fakeProvider.fault(isRefreshCall, invalidTokenResponse);
  await pushConsentEnd(world, '4711');
  expect((await readDevice(world, user))?.status).toBe('disconnected');
});

test('a report that could not be verified and was dropped no longer counts against a token', async () => {
  const { world, user } = await connectUser();
  await pushConsentEnd(world, '4711');
  world.clock.advance(1_000);
  world.fakeProvider.requests.length = 0;
  world.fakeProvider.fault(isRefreshCall, 'timeout', 5);
  world.fakeProvider.fault(isRefreshCall, invalidTokenResponse);
  const countRefreshCalls = () => world.fakeProvider.requests.filter(isRefreshCall).length;
  world.fakeProvider.fault((call) => !isRefreshCall(call) && countRefreshCalls() >= 5, {
    status: 401,
    headers: {},
    text: '{}',
  });
  await pushConsentEnd(world, '4711');
  for (let i = 0; i < 180 && countRefreshCalls() < 6; i++) await world.passTime(minutes(1));
  expect(countRefreshCalls()).toBe(6);
  expect(await readDevice(world, user)).toMatchObject({ status: 'active', sync: { state: 'waiting' } });
});
