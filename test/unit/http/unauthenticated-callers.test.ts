// A caller without a valid credential uses up only its own limit: it causes no table call and
// affects no other caller.
import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { catalogsApi } from '../../../functions/api/catalogs/app.ts';
import { pushApi } from '../../../functions/api/push/app.ts';
import { sdkApi } from '../../../functions/api/sdk/app.ts';
import { tokensApi } from '../../../functions/api/tokens/app.ts';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { makeApiKey } from '../../../shared/accounts/api-key.ts';
import { sandboxCredentials } from '../../../shared/connections/client/configured-provider.ts';
import { derivePushKeys } from '../../../shared/connections/client/push-keys.ts';
import { base62 } from '../../../shared/platform/base62.ts';
import { addressRateLimit } from '../../../shared/platform/rate-limit.ts';
import { requestInProcess } from '../../harness/in-process-request.ts';
import { signPush } from '../../harness/sync-world.ts';
import { someFunction, testLimits, world } from './unauthenticated-calls.ts';

let key: string;
beforeAll(async () => {
  key = (await createAccount(world.deps, { name: 'a customer' })).live_key;
});

const randomKeyText = () => `sk_live_${base62(randomBytes(32), 43)}`;
/** A checksum that anyone can compute who knows the format of a key. */
const plainChecksum = (keyText: string) => base62(createHash('sha256').update(keyText).digest().subarray(0, 8), 6);
const invented: [string, () => string][] = [
  ['a key of random characters', () => randomKeyText() + base62(randomBytes(8), 6)],
  [
    'a key with a checksum that anyone can compute',
    () => {
      const keyText = randomKeyText();
      return keyText + plainChecksum(keyText);
    },
  ],
  ['no token at all', () => ''],
  ['half a token', () => 'sk_live_'],
  [
    'a mobile access token with a wrong proof',
    () => `sdk_at_${Buffer.from('["usr_1","s",1,9e15]').toString('base64url')}.x`,
  ],
];

describe('an invalid credential', () => {
  test.each(invented)('such as %s is rejected without a table call', async (_what, make) => {
    const { ask, calls } = someFunction(catalogsApi);
    for (let times = 0; times < 20; times++) expect((await ask('/v1/metrics', { token: make() })).status).toBe(401);
    expect(calls).toEqual([]);
    expect((await ask('/v1/metrics', { token: key })).status).toBe(200);
    expect(calls).toContain('write');
  });

  test('that only the deployment itself can have made, such as an unknown key, is looked up', async () => {
    const { ask, calls } = someFunction(catalogsApi);
    const token = makeApiKey(world.deps.keyring, 'live', randomBytes(32));
    expect((await ask('/v1/metrics', { token })).status).toBe(401);
    expect(calls).toEqual(['write']);
  });
});

describe('unauthenticated calls', () => {
  const testedKinds = ['without a token', 'to refresh', 'as an unsigned push'];
  testLimits((kind) => testedKinds.includes(kind));

  test('include those with a key that is unknown or not valid for the route', async () => {
    const unknown = makeApiKey(world.deps.keyring, 'live', randomBytes(32));
    for (const [group, path, token, status] of [
      [catalogsApi, '/v1/metrics', unknown, 401],
      [sdkApi, '/v1/sdk/data', key, 401],
    ] as const) {
      const { ask } = someFunction(group);
      const options = { token, ...(group === sdkApi ? { body: {} } : {}) };
      for (let times = 0; times < addressRateLimit.burst; times++)
        expect((await ask(path, options)).status).toBe(status);
      expect((await ask(path, options)).status).toBe(429);
    }
  });

  test('with an empty Authorization header are reported as having none', async () => {
    const { api } = someFunction(catalogsApi);
    const response = await requestInProcess(api, '/v1/metrics', {
      address: '192.0.2.1',
      method: 'GET',
      headers: { authorization: '' },
    });
    expect([response.status, JSON.parse(await response.text()).error]).toEqual([401, 'unauthorized']);
  });

  test('do not affect a caller with a key, even from the same address', async () => {
    const { ask } = someFunction(catalogsApi);
    for (let times = 0; times <= addressRateLimit.burst; times++) await ask('/v1/metrics');
    expect((await ask('/v1/metrics')).status).toBe(429);
    const response = await ask('/v1/metrics', { token: key });
    expect([response.status, response.headers.get('ratelimit-policy')]).toEqual([200, '"default";q=200;w=2']);
  });

  test('do not affect or count the pushes of a provider, even from the same address', async () => {
    const { api, ask, deps, nowMs } = someFunction(pushApi);
    const path = '/v1/providers/oura/push';
    const genuine = () => {
      const { headers, body } = signPush(
        sandboxCredentials(deps, 'oura').clientSecret,
        { event_type: 'update' },
        nowMs,
      );
      return requestInProcess(api, path, { method: 'POST', headers, body: Buffer.from(body), address: '192.0.2.1' });
    };
    for (let times = 0; times <= 2 * addressRateLimit.burst; times++) expect((await genuine()).status).toBe(200);
    for (let times = 0; times < addressRateLimit.burst; times++)
      expect((await ask(path, { body: {} })).status).toBe(401);
    expect((await ask(path, { body: {} })).status).toBe(429);
    expect((await genuine()).status).toBe(200);
    const { pathSecret } = derivePushKeys(deps, 'withings', 'sandbox');
    for (let times = 0; times <= addressRateLimit.burst; times++)
      expect((await ask(`/v1/providers/withings/push/${pathSecret}`)).status).toBe(200);
  });

  test('cause no table call once they are rejected', async () => {
    const { ask, calls } = someFunction(tokensApi);
    for (let times = 0; times < addressRateLimit.burst; times++) await ask('/.well-known/jwks.json');
    calls.length = 0;
    expect((await ask('/.well-known/jwks.json')).status).toBe(429);
    expect(calls).toEqual([]);
  });
});
