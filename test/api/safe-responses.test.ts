// Rules for every response: it is about the user in the path only, it is not cached in transit, and
// browsers do not interpret it as another type.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contract } from '../../functions/api/reference/contract.ts';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { cloudProviderIds, sdkProviderIds } from '../../shared/catalog/provider.ts';
import { once } from '../harness/once.ts';
import { rawRequest } from '../harness/raw-request.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { pathOf, type Sample, samples } from './samples.ts';

let system: System;
let account: NewAccount;
let ada: string;
let bob: string;
beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  ada = await system.user(account.live_key);
  bob = await system.user(account.live_key);
});
// Refill the rate limit between tests, because these tests are not about limits.
beforeEach(() => system.clock.advance(1_000));

const namedEndpoints = contract.map((endpoint) => ({
  name: `${endpoint.route.method.toUpperCase()} ${endpoint.route.path}`,
  endpoint,
}));
const browserHeaders = {
  'x-content-type-options': 'nosniff',
  'strict-transport-security': 'max-age=31536000',
  'referrer-policy': 'no-referrer',
};

describe('a path that traverses from one user to another', () => {
  test.each([
    '/../',
    '/%2e%2e/',
    '/%2E./',
    '/./../',
    '%2f..%2f',
    '%2F%2e%2e%2F',
    '%2f%2E.%2f',
    '/..%2f',
    '%2f../',
    '%2f.%2f..%2f',
    '%5c..%5c',
  ])('/v1/users/A%sB/daily returns no user’s data', async (between) => {
    const token = await system.userToken(account.live_key, bob);
    for (const credential of [account.live_key, token])
      for (const path of [`/v1/users/${ada}${between}${bob}/daily`, `/v1/users/${ada}${between}${bob}`]) {
        const response = await rawRequest(system.host.baseUrl, {
          path,
          headers: { authorization: `Bearer ${credential}` },
        });
        expect([403, 404]).toContain(response.status);
        if (credential === account.live_key) expect(response.status).toBe(404);
        expect(response.bytes.toString()).not.toContain('"series"');
      }
  });
});

describe.each(namedEndpoints)('$name', ({ endpoint }) => {
  /** Whether the route is a page that opens with a link instead of a credential. */
  const isPage = /^\/(connect|join)\//.test(endpoint.route.path);
  const isUserPage = /^\/(connect|join|sandbox)\//.test(endpoint.route.path);
  /**
   * Rejected requests consume nothing, so one sample serves all tests; the last test consumes it.
   */
  const sampleOf = once(async () =>
    samples[endpoint.route.operationId]?.({ system, token: account.live_key, userId: ada }),
  );
  const sendRequest = async (sample: Sample | undefined, token?: string, params?: Record<string, string>) => {
    const open = endpoint.callers.length === 0;
    return system.call(
      endpoint.route.method.toUpperCase(),
      pathOf(endpoint.route.path, { ...sample?.params, ...params }) + (sample?.query ?? ''),
      {
        ...(open ? {} : { token: token ?? sample?.token ?? account.live_key }),
        ...(sample?.body === undefined ? {} : { body: sample.body }),
        ...(sample?.raw === undefined ? {} : { raw: sample.raw }),
        headers: { ...sample?.headers, ...(isPage ? { accept: 'text/html' } : {}) },
      },
    );
  };

  test('sends the same security headers when it rejects a request', async () => {
    if (endpoint.callers.length === 0) return;
    const response = await sendRequest(await sampleOf(), 'nothing');
    expect(response.status).toBe(401);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(Object.fromEntries(response.headers)).toMatchObject(browserHeaders);
  });

  test('returns 404 for an id that is too long to exist, but only after authentication', async () => {
    for (const name of [...endpoint.route.path.matchAll(/\{(\w+)\}/g)].map(([, each]) => each ?? ''))
      for (const odd of ['x'.repeat(256), 'x'.repeat(3_000)]) {
        const response = await sendRequest(await sampleOf(), undefined, { [name]: odd });
        expect([name, response.status]).toEqual([name, 404]);
        if (endpoint.callers.length === 0) continue;
        expect(response.body.message).toContain('No such resource');
        expect([name, (await sendRequest(await sampleOf(), 'nothing', { [name]: odd })).status]).toEqual([name, 401]);
      }
  });

  test('is not cacheable, unless anyone may read it or it is a read of scores', async () => {
    const response = await sendRequest(await sampleOf());
    // Pages redirect, or show that consent was denied.
    if (isUserPage) expect([200, 204, 302, 303, 403]).toContain(response.status);
    else expect(response.status).toBeLessThan(300);
    const isCacheable = endpoint.callers.length === 0 && endpoint.route.method === 'get' && !isUserPage;
    const hasHashedName = endpoint.route.operationId === 'getConsoleAsset';
    const cacheable = hasHashedName ? 'public, max-age=31536000, immutable' : 'no-cache';
    const isScores = ['getScores', 'getScoreHistory'].includes(endpoint.route.operationId);
    const ofCaller = isScores ? 'private, max-age=300' : 'no-store';
    expect(response.headers.get('cache-control')).toBe(isCacheable ? cacheable : ofCaller);
    expect(response.headers.get('vary')?.includes('Authorization') ?? false).toBe(isScores);
    expect(Object.fromEntries(response.headers)).toMatchObject(browserHeaders);
  });
});

test('not-found and preflight responses have the same security headers', async () => {
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['PUT', '/v1/users'],
    ['OPTIONS', '/v1/users'],
    ['GET', '/v1/users/%'],
    ['GET', `/v1/users/${ada}/%2e%2e`],
  ] as const) {
    const response = await rawRequest(system.host.baseUrl, { method, path });
    expect(response.headers).toMatchObject(browserHeaders);
  }
});

test.each([
  ['live_key', ['oura']],
  ['sandbox_key', cloudProviderIds],
] as const)('only what a key can connect now is listed, and the others on request (%s)', async (key, connectable) => {
  const listed = async (query: string) => {
    const { providers } = (await system.call('GET', `/v1/providers${query}`, { token: account[key] })).body;
    return providers.map(({ id, available }: { id: string; available: boolean }) => [id, available]);
  };
  const cloud = connectable.map((id) => [id, true]);
  const everyCloud = cloudProviderIds.map((id) => [id, connectable.some((each) => each === id)]);
  const sdk = sdkProviderIds.map((id) => [id, true]);
  expect(await listed('')).toEqual(cloud);
  expect(await listed('?connection=cloud')).toEqual(cloud);
  expect(await listed('?connection=sdk')).toEqual(sdk);
  expect(await listed('?connection=all')).toEqual([...cloud, ...sdk]);
  expect(await listed('?include=unavailable')).toEqual(everyCloud);
  expect(await listed('?connection=all&include=unavailable')).toEqual([...everyCloud, ...sdk]);
  const refused = await system.call('GET', '/v1/providers?connection=phone', { token: account[key] });
  expect([refused.status, refused.body.details.issues]).toEqual([
    400,
    [{ path: 'connection', message: 'must be one of cloud, sdk, all' }],
  ]);
});
