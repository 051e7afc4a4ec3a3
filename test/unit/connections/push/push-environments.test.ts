// Which environment a push belongs to, and how a provider is answered that verifies the push URL.
import { expect, test } from 'vitest';
import { pushApi } from '../../../../functions/api/push/app.ts';
import { providerProblems } from '../../../../infra/cloud/provider-problems.ts';
import { sandboxCredentials } from '../../../../shared/connections/client/configured-provider.ts';
import { derivePushKeys, readPushKeys } from '../../../../shared/connections/client/push-keys.ts';
import { acceptPush } from '../../../../shared/connections/push/accept-push.ts';
import { EngineUnavailable, type ProviderSettings, SettingsUnreadable } from '../../../../shared/platform/ports.ts';
import type { PushRequest } from '../../../../shared/providers/kit/push.ts';
import { requestInProcess } from '../../../harness/in-process-request.ts';
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

const unusableSettings: [string, ProviderSettings['get']][] = [
  ['are incomplete', async () => ({ client_id: 'alone' })],
  ['cannot be read', () => Promise.reject(new SettingsUnreadable('The secret is not an object.'))],
];

test.each(unusableSettings)(
  'while the live settings %s, a push is answered with 503 and not stored, so that the provider sends it again',
  async (_what, get) => {
    const world = syncWorld();
    const account = 'oura-account';
    await world.connect(await world.user(), account);
    const notification = { event_type: 'update', data_type: 'sleep', object_id: 'night', user_id: account };
    const genuine = signPush(world.fakeProvider.credentials.clientSecret, notification, world.clock.now());
    const api = pushApi({ ...world.deps, providerSettings: { get } });
    const send = (headers: PushRequest['headers'], receiver = api) =>
      requestInProcess(receiver, path, {
        method: 'POST',
        body: new TextDecoder().decode(genuine.body),
        headers: { 'content-type': 'application/json', ...headers },
      });
    const path = '/v1/providers/oura/push';
    const [rowsBefore, messagesBefore] = [world.table.rows(), world.queued.length];
    const responses = [
      await send(genuine.headers),
      await send({ ...genuine.headers, 'x-oura-signature': 'FORGED' }),
      await requestInProcess(api, `${path}?challenge=c&verification_token=guessed`),
    ];
    for (const response of responses) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
      expect(await response.json()).toMatchObject({ error: 'unavailable' });
    }
    expect(world.table.rows()).toEqual(rowsBefore);
    expect(world.queued).toHaveLength(messagesBefore);

    // The alarm about the settings fires, and not the one about forged pushes.
    const alarms = providerProblems.filter(({ functions, lines }) =>
      lines.some((line) => functions.includes('push') && world.log.some(({ message }) => message === line.code)),
    );
    expect(alarms.map(({ name }) => name)).toEqual(['ProvidersUnusable']);
    expect((await send(genuine.headers, pushApi(world.deps))).status).toBe(200);
    expect(world.queued.length).toBeGreaterThan(messagesBefore);
  },
);

test('an engine that is unavailable is not reported as unusable settings', async () => {
  const world = syncWorld();
  const push = signPush(world.fakeProvider.credentials.clientSecret, { hello: 'world' }, world.clock.now());
  const get = () => Promise.reject(new EngineUnavailable('GetSecretValue is unavailable'));
  const unavailable = { ...world.deps, providerSettings: { get } };
  await expect(acceptPush(unavailable, 'oura', push)).rejects.toThrow(EngineUnavailable);
  expect(world.log).toEqual([]);
});

test('a push for a provider without settings is rejected with 401', async () => {
  const world = syncWorld();
  const push = signPush(world.fakeProvider.credentials.clientSecret, { hello: 'world' }, world.clock.now());
  const unconfigured = { ...world.deps, providerSettings: { get: async () => undefined } };
  await expect(acceptPush(unconfigured, 'oura', push)).rejects.toMatchObject({ code: 'unauthorized' });
  expect(world.log.map(({ message }) => message)).toEqual(['push_refused']);
});
