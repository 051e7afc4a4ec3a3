// How a consent ends that arrives too late or not at all: what is reported, and what is revoked at
// the provider.
import { expect, test } from 'vitest';
import { beginConnection, type ConnectionRequest } from '../../../../shared/connections/connect/begin-connection.ts';
import { completeConnection } from '../../../../shared/connections/connect/complete-connection.ts';
import { bindState, newNonce } from '../../../../shared/connections/connect/connect-state.ts';
import { connectWithCode } from '../../../../shared/connections/connect/connect-with-code.ts';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import type { ProviderCall } from '../../../../shared/sandbox/provider-server/provider-call.ts';
import { getAuthorizedUserContext } from '../../../../shared/users/authorized-user.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { completeCallback, makeCallback, noInitiator } from '../../../harness/browser.ts';
import { addDevice, watch } from '../../../harness/stored-data.ts';
import { minutes, syncWorld } from '../../../harness/sync-world.ts';

const origin = 'https://day.example';
const oura: ConnectionRequest = { provider: 'oura', redirectUrl: null, returnTo: null, origin, ...noInitiator };
const isExchangeCall = ({ form }: ProviderCall): boolean => form['grant_type'] === 'authorization_code';
const isRevocationCall = ({ path }: ProviderCall): boolean => path.endsWith('/oauth/revoke');

async function beginConsent() {
  const world = syncWorld();
  const user = await world.user();
  const context = await getAuthorizedUserContext(world.deps, world.caller, user);
  const { pending } = await beginConnection(world.deps, context.user, context.devices, oura);
  const { id: device, auth_url } = pending;
  const come = (query: Record<string, string>) => completeCallback(world.deps, auth_url, query);
  const agree = () => come({ code: world.fakeProvider.code('oura', 'ann', `${origin}/connect/callback/oura`) });
  const shown = async () => (await listDevices(world.deps, world.caller, user)).find(({ id }) => id === device);
  return { world, user, device, come, agree, shown, authUrl: auth_url, expiresMs: Date.parse(pending.expires_at) };
}

/** Runs after the code is exchanged and before the provider account is known. */
const duringExchange = ({ world }: Awaited<ReturnType<typeof beginConsent>>, action: () => Promise<unknown>) => {
  world.fakeProvider.beforeReply = async ({ path }) => {
    if (path.endsWith('/personal_info')) await action();
  };
};

test('a consent is revoked if its user is deleted during the exchange', async () => {
  const consent = await beginConsent();
  const { world, user } = consent;
  duringExchange(consent, () => deleteUser(world.deps, world.caller, user));
  expect(await consent.agree()).toMatchObject({ problem: 'unknown_link', deviceId: undefined });
  await world.processQueue();
  expect(world.fakeProvider.requests.filter(isRevocationCall)).toHaveLength(1);
});

test('a consent is revoked if its device fails during the exchange, and the device stays failed', async () => {
  const consent = await beginConsent();
  const { world, user, device } = consent;
  duringExchange(consent, async () => {
    world.clock.advance(minutes(20));
    await syncConnection(world.deps, user, device);
  });
  expect(await consent.agree()).toMatchObject({ problem: 'unknown_link' });
  await world.processQueue();
  expect(world.fakeProvider.requests.filter(isRevocationCall)).toHaveLength(1);
  expect(await consent.shown()).toMatchObject({ status: 'failed', error: 'provider_unavailable' });
});

test('a failed revocation does not hold up the page and is retried', async () => {
  const consent = await beginConsent();
  const { world, user } = consent;
  duringExchange(consent, () => deleteUser(world.deps, world.caller, user));
  const end = world.fakeProvider.fault(isRevocationCall, 'timeout');
  expect(await consent.agree()).toMatchObject({ problem: 'unknown_link' });
  await world.processQueue();
  end();
  world.fakeProvider.requests.length = 0;
  await world.passTime(minutes(5));
  expect(world.fakeProvider.requests.filter(isRevocationCall)).toHaveLength(1);
});

test.each([
  ['access_denied', 'access_denied'],
  ['request_forbidden', 'access_denied'],
  ['server_error', 'code_refused'],
])('%s is reported as %s, even if a code came with it', async (error, problem) => {
  const { world, come, shown } = await beginConsent();
  expect((await come({ error, code: 'a code' })).problem).toBe(problem);
  expect(await shown()).toMatchObject({ status: 'failed', error: problem });
  expect(world.fakeProvider.requests).toEqual([]);
});

test('a response without tokens is reported as an unavailable provider', async () => {
  const { world, agree, shown } = await beginConsent();
  world.fakeProvider.fault(isExchangeCall, { status: 200, headers: {}, text: '{}' });
  expect((await agree()).problem).toBe('provider_unavailable');
  expect(await shown()).toMatchObject({ status: 'failed', error: 'provider_unavailable' });
});

test('refused client credentials are logged for the operator and not blamed on the user', async () => {
  const { world, agree, shown } = await beginConsent();
  world.fakeProvider.fault(isExchangeCall, { status: 401, headers: {}, text: '{"error":"invalid_client"}' });
  expect(await agree()).toMatchObject({ problem: 'not_configured', advice: undefined });
  expect(await shown()).toMatchObject({ status: 'failed', error: 'not_configured' });
  expect(world.log).toMatchObject([
    { level: 'error', message: 'provider_credentials_refused', fields: { provider: 'oura' } },
  ]);
});

test('advice from the provider is passed on to the user, and the refusal is logged', async () => {
  const { world, agree } = await beginConsent();
  world.fakeProvider.fault(isExchangeCall, { status: 400, headers: {}, text: '{"error":"invalid_grant"}' });
  const advice = expect.stringContaining('did not accept the authorization');
  expect(await agree()).toMatchObject({ problem: 'code_refused', advice });
  expect(world.log).toMatchObject([{ message: 'grant_refused', fields: { reason: 'code_refused' } }]);
});

test('of two concurrent refusals one is reported, and the other finds the link used', async () => {
  const { come } = await beginConsent();
  const refused = await Promise.all([come({ error: 'access_denied' }), come({ error: 'access_denied' })]);
  expect(refused.map(({ problem }) => problem).sort()).toEqual(['access_denied', 'link_used']);
});

test('a user who is deleted before the code arrives is not connected', async () => {
  const { world, user } = await beginConsent();
  const connected = connectWithCode(world.deps, user, 'oura', async () => {
    await deleteUser(world.deps, world.caller, user);
    return 'a code';
  });
  expect(await connected).toBeUndefined();
});

test('a code connects a new device unless the account is already connected', async () => {
  const { world, user, device } = await beginConsent();
  const connected = await world.connect(user, 'ann');
  expect(connected).not.toBe(device);
  expect(await world.connect(user, 'ann')).toBe(connected);
  const shown = await listDevices(world.deps, world.caller, user);
  expect(Object.fromEntries(shown.map(({ id, status }) => [id, status]))).toEqual({
    [device]: 'pending',
    [connected]: 'active',
  });
});

test('a device of another provider is not replaced', async () => {
  const { world, user, agree } = await beginConsent();
  const other = await addDevice(world.deps, user, watch);
  expect((await agree()).problem).toBeUndefined();
  const shown = await listDevices(world.deps, world.caller, user);
  expect(shown.find(({ id }) => id === other.id)?.status).toBe('active');
  expect(world.events('device.disconnected')).toEqual([]);
});

test('a browser that did not open the link learns nothing about it, not even that it was used', async () => {
  const { world, authUrl, agree } = await beginConsent();
  const callback = makeCallback(world.deps, authUrl, { code: 'a code' });
  await agree();
  expect((await completeConnection(world.deps, callback)).problem).toBe('link_used');
  for (const browser of [undefined, newNonce(world.deps)])
    expect(await completeConnection(world.deps, { ...callback, browser })).toMatchObject({
      problem: 'other_browser',
      provider: undefined,
    });
});

test('a state with a different nonce is unknown, and the connection keeps waiting', async () => {
  const { world, user, device, shown } = await beginConsent();
  const browser = newNonce(world.deps);
  const state = bindState(world.deps, { user, device, nonce: newNonce(world.deps) }, browser);
  const query = { state, error: 'access_denied' };
  expect(await completeConnection(world.deps, { provider: 'oura', query, browser })).toMatchObject({
    problem: 'unknown_link',
    provider: undefined,
  });
  expect(await shown()).toMatchObject({ status: 'pending' });
});

test('a consent that arrives at the exact expiry time is too late', async () => {
  const { world, agree, expiresMs } = await beginConsent();
  world.clock.freeze();
  world.clock.advance(expiresMs - world.clock.now());
  expect((await agree()).problem).toBe('link_expired');
});
