import { expect, test } from 'vitest';
import { connectWithCode } from '../../../../shared/connections/connect/connect-with-code.ts';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { wakeConnection } from '../../../../shared/connections/wake-connection.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { isDataCall, isRefreshCall } from '../../../harness/fake-provider.ts';
import { printLog } from '../../../harness/print-log.ts';
import { hours, minutes, ouraNight, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const shown = async ({ deps, caller }: SyncWorld, user: string) => (await listDevices(deps, caller, user))[0];
const dead = { status: 400, headers: {}, text: JSON.stringify({ error: 'invalid_grant' }) };

async function connected() {
  const world = syncWorld();
  const user = await world.user();
  world.fakeProvider.fixtures.write('oura', 'ann', { sleep: [ouraNight('n1', '2026-03-12')] });
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  world.fakeProvider.requests.length = 0;
  return { world, user, device };
}

test('twenty messages for a connection with an expired token refresh it once', async () => {
  const { world, user, device } = await connected();
  world.clock.advance(hours(30));
  for (let at = 0; at < 20; at++) await wakeConnection(world.deps, user, device);
  await world.processQueue();
  expect(world.fakeProvider.requests.filter(isRefreshCall)).toHaveLength(1);
  expect(world.fakeProvider.requests.filter(({ path }) => path.endsWith('/sleep'))).toHaveLength(1);
});

test('a token that the provider refuses early is refreshed, and the request is repeated', async () => {
  const { world, user } = await connected();
  world.fakeProvider.fault(isDataCall, { status: 401, headers: {}, text: '{}' }, 1);
  await world.passTime(hours(7));
  expect(world.fakeProvider.requests.filter(isRefreshCall)).toHaveLength(1);
  expect(world.fakeProvider.requests.filter(({ path }) => path.endsWith('/daily_activity'))).toHaveLength(2);
  expect((await shown(world, user))?.sync?.state).toBe('current');
});

test.each([
  ['500', { status: 500, headers: {}, text: '' }],
  ['503 with a page', { status: 503, headers: {}, text: '<html>' }],
  ['no response', 'timeout' as const],
  ['an unexpected response', { status: 400, headers: {}, text: 'bad gateway' }],
])('a refresh that gets %s disconnects nobody, however often', async (_name, fault) => {
  const { world, user, device } = await connected();
  const end = world.fakeProvider.fault(isRefreshCall, fault);
  for (let hour = 0; hour < 40; hour++) await world.passTime(hours(1));
  expect(await shown(world, user)).toMatchObject({ status: 'active', sync: { state: 'waiting' } });
  expect((await world.readConnection(user, device))?.failures).toBeGreaterThan(3);
  end();
  await world.passTime(hours(2));
  expect(await shown(world, user)).toMatchObject({ status: 'active', sync: { state: 'current' } });
  expect(world.events('device.disconnected')).toEqual([]);
});

test('a token counts as dead after enough refusals, which sends one event and leaves the data', async () => {
  const { world, user, device } = await connected();
  world.fakeProvider.fault(isRefreshCall, dead);
  await world.passTime(hours(30));
  for (let i = 0; i < 20; i++) await world.passTime(minutes(5));
  expect(world.fakeProvider.requests.filter(isRefreshCall)).toHaveLength(1);
  expect(await shown(world, user)).toMatchObject({ status: 'active', sync: { state: 'waiting' } });
  await world.passTime(hours(6));
  expect((await shown(world, user))?.status).toBe('active');
  await world.passTime(hours(6));
  await world.passTime(hours(6));
  expect(await shown(world, user)).toMatchObject({ status: 'disconnected', error: 'consent_ended', sync: null });
  expect(world.events('device.disconnected')).toHaveLength(1);
  expect(await world.readConnection(user, device)).toBeUndefined();
  expect((await world.nights(user)).map(({ id }) => id)).toEqual(['n1']);
  expect(world.table.rows().filter(({ pk }) => String(pk).startsWith('P#'))).toEqual([]);
});

test('a token that is reported dead and then refreshed is not dead', async () => {
  const { world, user, device } = await connected();
  const end = world.fakeProvider.fault(isRefreshCall, dead);
  await world.passTime(hours(30));
  await world.passTime(hours(7));
  expect((await world.readConnection(user, device))?.tokenRefusals?.count).toBe(2);
  end();
  await world.passTime(hours(7));
  expect((await world.readConnection(user, device))?.tokenRefusals).toBeNull();
  expect((await shown(world, user))?.sync?.state).toBe('current');
});

test('refusals of a token no longer count once the provider has issued another one', async () => {
  const { world, user, device } = await connected();
  const end = world.fakeProvider.fault(isRefreshCall, dead);
  await world.passTime(hours(30));
  await world.passTime(hours(7));
  expect((await world.readConnection(user, device))?.tokenRefusals?.count).toBe(2);
  end();
  world.fakeProvider.fault(isDataCall, { status: 401, headers: {}, text: '{}' });
  world.fakeProvider.beforeReply = async (call) => {
    if (isDataCall(call)) world.fakeProvider.fault(isRefreshCall, dead);
  };
  await world.passTime(hours(7));
  expect((await world.readConnection(user, device))?.tokenRefusals?.count).toBe(1);
  expect((await shown(world, user))?.status).toBe('active');
});

test('a provider that cannot be polled is called only to refresh its tokens', async () => {
  const world = syncWorld({ provider: 'garmin' });
  const user = await world.user();
  await world.connect(user, 'ann');
  await world.processQueue();
  for (let minute = 0; minute < 90; minute++) await world.passTime(minutes(1));
  world.fakeProvider.requests.length = 0;
  await world.passTime(hours(24 * 34));
  expect(world.fakeProvider.requests.map((call) => isRefreshCall(call))).toEqual([true]);
  expect((await shown(world, user))?.status).toBe('active');
});

test('refused client credentials are shown and disconnect nobody', async () => {
  const { world, user } = await connected();
  world.fakeProvider.fault(isRefreshCall, {
    status: 401,
    headers: {},
    text: JSON.stringify({ error: 'invalid_client' }),
  });
  for (let hour = 0; hour < 60; hour++) await world.passTime(hours(1));
  expect(await shown(world, user)).toMatchObject({ status: 'active', sync: { state: 'failed' } });
});

test('no token is requested while tokens cannot be sealed, and the old ones stay valid', async () => {
  const { world, user, device } = await connected();
  world.clock.advance(hours(30));
  const seal = () => Promise.reject(new Error('the vault is unavailable'));
  const away = { ...world.deps, vault: { ...world.deps.vault, seal } };
  await syncConnection(away, user, device);
  expect(world.fakeProvider.requests).toEqual([]);
  const other = await world.user();
  const swapped = connectWithCode(away, other, 'oura', async () =>
    world.fakeProvider.code('oura', 'bob', 'https://day.example/connect/callback/oura'),
  );
  await expect(swapped).rejects.toThrow('the vault is unavailable');
  expect(world.fakeProvider.requests).toEqual([]);
  await world.passTime(hours(1));
  expect(await shown(world, user)).toMatchObject({ status: 'active', sync: { state: 'current' } });
});

test('tokens appear neither in the log nor unencrypted in the table', async () => {
  const { world } = await connected();
  world.fakeProvider.fault(isDataCall, { status: 418, headers: {}, text: 'teapot' });
  await world.passTime(hours(30));
  const token = world.fakeProvider.requests.filter(isDataCall)[0]?.headers['authorization']?.slice('Bearer '.length);
  expect(token).toMatch(/.{40}/);
  expect(printLog(world.log)).not.toContain(token);
  expect(JSON.stringify(world.table.rows())).not.toContain(token);
});
