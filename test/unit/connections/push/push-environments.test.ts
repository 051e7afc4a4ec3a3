// Which environment a push belongs to, and how a provider is answered that verifies the push URL.
import { expect, test } from 'vitest';
import { sandboxCredentials } from '../../../../shared/connections/client/configured-provider.ts';
import { derivePushKeys, readPushKeys } from '../../../../shared/connections/client/push-keys.ts';
import { acceptPush } from '../../../../shared/connections/push/accept-push.ts';
import { signPush, syncWorld } from '../../../harness/sync-world.ts';

const verificationRequest = (verification_token: string) => ({
  method: 'GET' as const,
  headers: {},
  query: { challenge: 'c', verification_token },
});

test('a verification request is answered for either environment, and otherwise rejected in the format of the provider', async () => {
  const world = syncWorld();
  for (const env of ['live', 'sandbox'] as const) {
    const { verificationToken } = derivePushKeys(world.deps, 'oura', env);
    expect(await world.pushRaw('', verificationRequest(verificationToken))).toEqual({
      status: 200,
      json: { challenge: 'c' },
    });
  }
  expect(await world.pushRaw('', verificationRequest('guessed'))).toMatchObject({
    status: 401,
    json: { detail: expect.any(String) },
  });
});

test('each environment of each provider has its own secrets', () => {
  const { deps } = syncWorld();
  const secrets = (['oura', 'garmin'] as const).flatMap((provider) =>
    (['live', 'sandbox'] as const).flatMap((env) => Object.values(derivePushKeys(deps, provider, env))),
  );
  expect(secrets).toHaveLength(8);
  expect(new Set(secrets).size).toBe(8);
});

test('the simulated provider signs with a secret that needs no subscription', async () => {
  const { deps, fakeProvider } = syncWorld({ provider: 'polar' });
  const secretOf = async (env: 'live' | 'sandbox') =>
    (await readPushKeys(deps, { provider: 'polar', env, credentials: fakeProvider.credentials })).subscriptionSecret;
  expect(await secretOf('sandbox')).toEqual(expect.any(String));
  expect(await secretOf('live')).toBeUndefined();
});

test('only a POST counts as a push, even if the request is signed', async () => {
  const world = syncWorld();
  const push = signPush(world.fakeProvider.credentials.clientSecret, { hello: 'world' }, world.clock.now());
  expect(await acceptPush(world.deps, 'oura', push)).toEqual({ status: 200 });
  const got = acceptPush(world.deps, 'oura', { ...push, method: 'GET' });
  await expect(got).rejects.toMatchObject({ code: 'unauthorized' });
});

test('unusable settings do not affect the sandbox', async () => {
  const world = syncWorld();
  const misconfigured = { ...world.deps, providerSettings: { get: async () => ({ client_id: 'alone' }) } };
  const { clientSecret } = sandboxCredentials(world.deps, 'oura');
  const push = signPush(clientSecret, { hello: 'world' }, world.clock.now());
  expect(await acceptPush(misconfigured, 'oura', push)).toEqual({ status: 200 });
  expect(world.log.map(({ message }) => message)).toContain('provider_misconfigured');
});
