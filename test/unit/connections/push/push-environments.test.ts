// Whose a push is: this deployment's, or its sandbox's, and what a vendor hears that only asks whether the address is ours.
import { expect, test } from 'vitest';
import { sandboxCredentials } from '../../../../shared/connections/client/configured-provider.ts';
import { derivePushKeys, readPushKeys } from '../../../../shared/connections/client/push-keys.ts';
import { acceptPush } from '../../../../shared/connections/push/accept-push.ts';
import { signPush, syncWorld } from '../../../harness/sync-world.ts';

const asksWith = (verification_token: string) => ({
  method: 'GET' as const,
  headers: {},
  query: { challenge: 'c', verification_token },
});

test('a vendor that asks for either environment is answered, and one that knows neither is told so in its own way', async () => {
  const world = syncWorld();
  for (const env of ['live', 'sandbox'] as const) {
    const { verificationToken } = derivePushKeys(world.deps, 'oura', env);
    expect(await world.pushRaw('', asksWith(verificationToken))).toEqual({ status: 200, json: { challenge: 'c' } });
  }
  expect(await world.pushRaw('', asksWith('guessed'))).toMatchObject({
    status: 401,
    json: { detail: expect.any(String) },
  });
});

test('each environment of each provider has secrets of its own', () => {
  const { deps } = syncWorld();
  const secrets = (['oura', 'garmin'] as const).flatMap((provider) =>
    (['live', 'sandbox'] as const).flatMap((env) => Object.values(derivePushKeys(deps, provider, env))),
  );
  expect(secrets).toHaveLength(8);
  expect(new Set(secrets).size).toBe(8);
});

test('the sandbox’s vendor signs with a secret that nobody had to subscribe for', async () => {
  const { deps, fakeProvider: vendor } = syncWorld({ provider: 'polar' });
  const secretOf = async (env: 'live' | 'sandbox') =>
    (await readPushKeys(deps, { provider: 'polar', env, credentials: vendor.credentials })).subscriptionSecret;
  expect(await secretOf('sandbox')).toEqual(expect.any(String));
  expect(await secretOf('live')).toBeUndefined();
});

test('only what is posted is a push, whatever it is signed with', async () => {
  const world = syncWorld();
  const push = signPush(world.fakeProvider.credentials.clientSecret, { hello: 'world' }, world.clock.now());
  expect(await acceptPush(world.deps, 'oura', push)).toEqual({ status: 200 });
  const got = acceptPush(world.deps, 'oura', { ...push, method: 'GET' });
  await expect(got).rejects.toMatchObject({ code: 'unauthorized' });
});

test('settings that cannot be used keep nobody from the sandbox', async () => {
  const world = syncWorld();
  const misconfigured = { ...world.deps, providerSettings: { get: async () => ({ client_id: 'alone' }) } };
  const { clientSecret } = sandboxCredentials(world.deps, 'oura');
  const push = signPush(clientSecret, { hello: 'world' }, world.clock.now());
  expect(await acceptPush(misconfigured, 'oura', push)).toEqual({ status: 200 });
  expect(world.log.map(({ message }) => message)).toContain('a provider is misconfigured');
});
