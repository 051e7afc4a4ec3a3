// Applies the general rules of the contract to every route of a form: credentials, users of other
// accounts, malformed bodies and suspended plans.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { apiKey } from '../../functions/api/callers/api-key.ts';
import { phone } from '../../functions/api/callers/phone.ts';
import { userToken } from '../../functions/api/callers/user-token.ts';
import { createKey, type NewAccount, setAccountStatus } from '../../shared/accounts/accounts.ts';
import { makeApiKey } from '../../shared/accounts/api-key.ts';
import { acceptsJson, getBodyLimits } from '../../shared/http/body.ts';
import type { CallerKind } from '../../shared/http/caller-kind.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { openKeyring } from '../../shared/platform/keyring.ts';
import type { ApiForm } from '../../shared/system/caller.ts';
import { once } from '../harness/once.ts';
import { createCredentials } from '../harness/sdk.ts';
import type { RequestOptions } from '../harness/send-request.ts';
import { sharedSystem, timeTravelSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { createMember } from '../harness/team-members.ts';
import { findUnusedMethod } from './find-unused-method.ts';
import { testMalformedBodies } from './malformed-bodies.ts';
import { list404Codes, listIdParameters, missingIdLike, takesUserInBody } from './missing-ids.ts';
import { testMisspeltParameters } from './misspelt-parameters.ts';
import { type CreateSample, pathOf, type Sample } from './samples.ts';

export interface RouteSuite {
  form: ApiForm;
  endpoints: readonly Endpoint[];
  samples: Record<string, CreateSample>;
}

export function testEveryRoute({ form, endpoints, samples }: RouteSuite): void {
  let system: System;
  let account: NewAccount;
  let userId: string;

  beforeAll(async () => {
    system = await sharedSystem();
    account = await system.account({ form });
    userId = await system.user(account.live_key);
  });
  // Refill the rate limit between tests, because these tests are not about limits.
  beforeEach(() => system.clock.advance(100));

  async function sampleOf(endpoint: Endpoint, user = userId): Promise<Sample> {
    const make = samples[endpoint.route.operationId];
    if (!make)
      throw new Error(
        `${endpoint.route.operationId} has no sample: add one to test/api/${form === 1 ? 'contract-form-1.test' : 'samples'}.ts`,
      );
    return make({ system, token: account.live_key, userId: user });
  }

  /**
   * One sample per route for requests that are rejected: they consume nothing, so it can be reused.
   */
  const unusedSamples = new Map<Endpoint, Promise<Sample>>();
  function unusedSampleOf(endpoint: Endpoint): Promise<Sample> {
    const sample = unusedSamples.get(endpoint) ?? sampleOf(endpoint);
    unusedSamples.set(endpoint, sample);
    return sample;
  }

  type Change = RequestOptions & { params?: Record<string, string>; query?: string };

  function callEndpoint(endpoint: Endpoint, sample: Sample, change: Change) {
    const path = pathOf(endpoint.route.path, change.params ?? sample.params) + (change.query ?? sample.query ?? '');
    return system.call(endpoint.route.method.toUpperCase(), path, {
      ...(sample.body === undefined ? {} : { body: sample.body }),
      ...(sample.raw === undefined ? {} : { raw: sample.raw }),
      ...change,
      headers: { ...sample.headers, ...change.headers },
    });
  }

  const callWithUnusedSample = async (endpoint: Endpoint, change: Change) =>
    callEndpoint(endpoint, await unusedSampleOf(endpoint), change);

  const ownToken = once(() => system.userToken(account.live_key, userId));
  const tokenOfAnother = once(async () => system.userToken(account.live_key, await system.user(account.live_key)));
  const ownSession = once(() => createCredentials(system, account.live_key, userId));
  const revokedKey = once(async () => {
    const other = await system.account({ form });
    await createKey(system.host.deps, other.account_id, 'live');
    return other.live_key;
  });
  const afterKeyExpiry = once(async () => {
    const later = await timeTravelSystem();
    const { live_key: token } = await later.account({ form });
    later.clock.advance(90 * 24 * 3600 * 1000);
    return { later, token };
  });
  /** Another account, which has deleted a user. */
  const foreignAccount = once(async () => {
    const other = await system.account({ form });
    const deleted = await system.user(other.live_key);
    await system.call('DELETE', `/v1/users/${deleted}`, { token: other.live_key });
    return { ...other, deleted };
  });
  const suspendedKey = once(async () => {
    const other = await system.account({ form });
    await setAccountStatus(system.host.deps, other.account_id, 'suspended');
    return other.live_key;
  });
  const reactivatedKey = once(async () => {
    const other = await system.account({ form });
    await setAccountStatus(system.host.deps, other.account_id, 'suspended');
    const response = await system.call('GET', '/v1/users', { token: other.live_key });
    expect(response.status).toBe(402);
    await setAccountStatus(system.host.deps, other.account_id, 'active');
    return other.live_key;
  });

  async function createSharingMember() {
    const { user, member } = await createMember(system.host.deps, account.account_id);
    return { user, member, token: await system.userToken(account.live_key, user) };
  }
  const stopSharing = ({ member }: { member: string }) =>
    system.call('DELETE', `/v1/team/roster/${member}`, { token: account.live_key });
  const unsharedMember = once(async () => {
    const sharingMember = await createSharingMember();
    await stopSharing(sharingMember);
    return sharingMember;
  });

  const tokenFor = (endpoint: Endpoint, sample: Sample): string | undefined =>
    endpoint.callers.length > 0 ? (sample.token ?? account.live_key) : undefined;

  /** The credential that a caller of the route sends with this body. */
  const shownFor = (endpoint: Endpoint, sample: Sample, sent: string = sample.raw ?? ''): RequestOptions =>
    sample.credential ? { headers: sample.credential(sent) } : { token: tokenFor(endpoint, sample) };

  const isBearer = ({ securityScheme }: CallerKind): boolean => securityScheme['scheme'] === 'bearer';

  const named = endpoints.map((endpoint) => ({
    name: `${endpoint.route.method.toUpperCase()} ${endpoint.route.path}`,
    endpoint,
  }));
  const guarded = named.filter(({ endpoint }) => endpoint.callers.length > 0);
  const forKeys = guarded.filter(({ endpoint }) => endpoint.callers.includes(apiKey));
  const forPhones = guarded.filter(({ endpoint }) => endpoint.callers.includes(phone));
  const forBearers = guarded.filter(({ endpoint }) => endpoint.callers.some(isBearer));
  const forOthers = guarded.filter(({ endpoint }) => !endpoint.callers.some(isBearer));
  const keyOnly = forKeys.filter(({ endpoint }) => !endpoint.callers.includes(userToken));
  const forTokens = guarded.filter(({ endpoint }) => endpoint.callers.includes(userToken));
  const ofUser = forKeys.filter(({ endpoint }) => endpoint.user !== undefined);
  const findingById = forKeys.filter(
    ({ endpoint }) => listIdParameters(endpoint).length > 0 || list404Codes(endpoint).length > 0,
  );
  const withBody = named.filter(({ endpoint }) => endpoint.route.request?.body !== undefined);
  const withJson = withBody.filter(({ endpoint }) => acceptsJson(endpoint.route));
  const withPlan = forKeys.filter(({ endpoint }) => endpoint.failures?.includes('payment_required'));

  test('every operation has a sample, and every sample has an operation', () => {
    expect(Object.keys(samples).sort()).toEqual(endpoints.map((endpoint) => endpoint.route.operationId).sort());
  });

  describe.each(named)('$name', ({ endpoint }) => {
    test('responds to a valid request as documented', async () => {
      const sample = await sampleOf(endpoint);
      expect((await callEndpoint(endpoint, sample, shownFor(endpoint, sample))).status).toBe(sample.status);
    });

    test('responds to another method with 405 and the allowed methods', async () => {
      const sample = await unusedSampleOf(endpoint);
      const method = findUnusedMethod(endpoint);
      const response = await system.call(method, pathOf(endpoint.route.path, sample.params), {
        token: account.live_key,
      });
      expect([method, response.status, response.body.error]).toEqual([method, 405, 'method_not_allowed']);
      expect(response.headers.get('allow')).toContain(endpoint.route.method.toUpperCase());
    });
  });

  describe.each(named)('$name', ({ endpoint }) => {
    const sendWith = (sample: Sample, added: string, change: Change) =>
      callEndpoint(endpoint, sample, { ...change, query: `${sample.query ? `${sample.query}&` : '?'}${added}` });
    testMisspeltParameters(endpoint, {
      async send(added) {
        const sample = await unusedSampleOf(endpoint);
        return sendWith(sample, added, shownFor(endpoint, sample));
      },
      async sendValid(added) {
        const sample = await sampleOf(endpoint);
        const { status } = await sendWith(sample, added, shownFor(endpoint, sample));
        return { status, expected: sample.status };
      },
      sendAnonymously: async (added) => sendWith(await unusedSampleOf(endpoint), added, {}),
    });
  });

  describe.each(guarded)('$name', ({ endpoint }) => {
    test('rejects a request without a credential', async () => {
      const response = await callWithUnusedSample(endpoint, {});
      expect([response.status, response.body.error]).toEqual([401, 'unauthorized']);
    });
  });

  describe.each(forBearers)('$name', ({ endpoint }) => {
    test.each([
      ['a string that is not a token', 'hello'],
      ['a key with an invalid checksum', `sk_live_${'A'.repeat(49)}`],
      [
        'a key issued by another deployment',
        makeApiKey(openKeyring('the root secret of another deployment'), 'live', new Uint8Array(32).fill(7)),
      ],
      ['a mobile token', `mt_${'a'.repeat(43)}`],
      ['a malformed JWT', 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln'],
    ])('rejects %s', async (_what, token) => {
      const response = await callWithUnusedSample(endpoint, { token });
      expect([response.status, response.body.error]).toEqual([401, 'invalid_token']);
    });

    test('rejects a scheme other than Bearer', async () => {
      const response = await callWithUnusedSample(endpoint, {
        headers: { authorization: `Basic ${account.live_key}` },
      });
      expect([response.status, response.body.error]).toEqual([401, 'invalid_token']);
    });

    test('rejects a revoked key', async () => {
      const response = await callWithUnusedSample(endpoint, { token: await revokedKey() });
      expect([response.status, response.body.error]).toEqual([401, 'invalid_token']);
    });
  });

  describe.each(forOthers)('$name', ({ endpoint }) => {
    test('rejects an altered credential', async () => {
      const sample = await unusedSampleOf(endpoint);
      const shown = Object.entries(shownFor(endpoint, sample).headers ?? {});
      expect(shown).not.toEqual([]);
      const altered = shown.map(([name, value]) => [name, value.slice(0, -1) + (value.endsWith('0') ? '1' : '0')]);
      const response = await callWithUnusedSample(endpoint, { headers: Object.fromEntries(altered) });
      expect([response.status, response.body.error]).toEqual([401, 'invalid_token']);
    });

    test('does not accept an API key as its credential', async () => {
      const response = await callWithUnusedSample(endpoint, { token: account.live_key });
      expect([response.status, response.body.error]).toEqual([401, 'unauthorized']);
    });
  });

  describe.each(keyOnly)('$name', ({ endpoint }) => {
    test('rejects user tokens', async () => {
      const response = await callWithUnusedSample(endpoint, { token: await ownToken() });
      expect([response.status, response.body.error]).toEqual([403, 'insufficient_scope']);
    });
  });

  describe.each(forKeys)('$name', ({ endpoint }) => {
    test('rejects SDK credentials', async () => {
      const { access_token } = await ownSession();
      const response = await callWithUnusedSample(endpoint, { token: access_token });
      expect([response.status, response.body.error]).toEqual([403, 'insufficient_scope']);
    });
  });

  describe.each(forPhones)('$name', ({ endpoint }) => {
    test('accepts only the credential of an SDK session', async () => {
      const others = [account.live_key, await ownToken(), (await ownSession()).refresh_token];
      for (const token of others) {
        const response = await callWithUnusedSample(endpoint, { token });
        expect([response.status, response.body.error]).toEqual([401, 'invalid_token']);
      }
    });
  });

  describe.each(forTokens)('$name', ({ endpoint }) => {
    test('accepts the token of the user in its path', async () => {
      const sample = await sampleOf(endpoint);
      expect((await callEndpoint(endpoint, sample, { token: await ownToken() })).status).toBe(sample.status);
    });

    test('rejects the token of another user', async () => {
      const response = await callWithUnusedSample(endpoint, { token: await tokenOfAnother() });
      expect([response.status, response.body.error]).toEqual([403, 'wrong_user']);
    });
  });

  describe.each(ofUser)('$name', ({ endpoint }) => {
    test('hides a user of another account exactly like a missing one', async () => {
      const { live_key: token, deleted } = await foreignAccount();
      const sample = await unusedSampleOf(endpoint);
      const missing = await callWithUnusedSample(endpoint, { token });
      const name = sample.params?.['user_id'] ? 'user_id' : 'id';
      const id = sample.params?.[name] ?? '';
      const gone = await callWithUnusedSample(endpoint, { token, params: { ...sample.params, [name]: deleted } });
      const otherEnvironment = await callWithUnusedSample(endpoint, {
        token: account.sandbox_key,
        params: { ...sample.params, [name]: id },
      });
      const otherAccount = await callWithUnusedSample(endpoint, { token, params: { ...sample.params, [name]: id } });
      expect([otherAccount.status, otherEnvironment.status, gone.status]).toEqual([404, 404, 404]);
      expect(otherAccount.text).toBe(otherEnvironment.text);
      expect(gone.text.replaceAll(deleted, id)).toBe(otherAccount.text);
      expect(missing.status).toBe(404);
      const plain = ({ headers }: { headers: Headers }) =>
        [...headers].filter(
          ([each]) => !['date', 'x-request-id', 'ratelimit', 'etag', 'connection', 'keep-alive'].includes(each),
        );
      expect(plain(otherAccount)).toEqual(plain(otherEnvironment));
    });

    test.each(['nobody', 'usr_', '..', '%20', 'usr_0000000000000000000000000z', 'x'.repeat(300)])(
      'finds no user %s',
      async (id) => {
        const sample = await unusedSampleOf(endpoint);
        const name = sample.params?.['user_id'] ? 'user_id' : 'id';
        const path = pathOf(endpoint.route.path, { ...sample.params, [name]: id });
        if (new URL(path, 'http://x').pathname !== path) return;
        const response = await callWithUnusedSample(endpoint, {
          token: account.live_key,
          params: { ...sample.params, [name]: id },
        });
        expect(response.status).toBe(404);
      },
    );
  });

  describe.each(findingById)('$name', ({ endpoint }) => {
    test('returns a documented 404 for every id that does not exist, and documents no other code', async () => {
      const sample = await unusedSampleOf(endpoint);
      const token = account.live_key;
      const requests: Change[] = [
        ...listIdParameters(endpoint).map((name) => ({
          params: { ...sample.params, [name]: missingIdLike(sample.params?.[name] ?? '') },
        })),
        ...(takesUserInBody(endpoint) ? [{ body: { ...Object(sample.body), user_id: missingIdLike(userId) } }] : []),
      ];
      const responses = await Promise.all(requests.map((each) => callWithUnusedSample(endpoint, { token, ...each })));
      expect(responses.map(({ status }) => status)).toEqual(requests.map(() => 404));
      const codes = new Set(responses.map(({ body }) => body.error));
      expect([...codes].sort()).toEqual(list404Codes(endpoint).sort());
    });
  });

  describe.each(ofUser)('$name', ({ endpoint }) => {
    test(`${endpoint.servesUnshared ? 'serves' : 'rejects'} a user who has stopped sharing`, async () => {
      // A route that deletes something gets a user of its own.
      const isAlone = endpoint.servesUnshared && endpoint.route.method === 'delete';
      const sharingMember = isAlone ? await createSharingMember() : await unsharedMember();
      const sample = isAlone ? await sampleOf(endpoint, sharingMember.user) : await unusedSampleOf(endpoint);
      if (isAlone) await stopSharing(sharingMember);
      const name = sample.params?.['user_id'] ? 'user_id' : 'id';
      const params = { ...sample.params, [name]: sharingMember.user };
      const response = await callEndpoint(endpoint, sample, { token: account.live_key, params });
      const revoked = [403, 'sharing_revoked'];
      if (endpoint.servesUnshared) expect(response.status).toBe(sample.status);
      else expect([response.status, response.body.error]).toEqual(revoked);
      if (!endpoint.callers.includes(userToken)) return;
      const byToken = await callEndpoint(endpoint, sample, { token: sharingMember.token, params });
      expect([byToken.status, byToken.body.error]).toEqual(revoked);
    });
  });

  describe.each(withBody)('$name', ({ endpoint }) => {
    test('rejects a body that exceeds its limit', async () => {
      const raw = JSON.stringify({ a: 'x'.repeat(getBodyLimits(endpoint)?.wireBytes ?? 0) });
      const response = await callWithUnusedSample(endpoint, {
        ...shownFor(endpoint, await unusedSampleOf(endpoint), raw),
        raw,
      });
      expect([response.status, response.body.error]).toEqual([413, 'payload_too_large']);
    });
  });

  describe.each(withJson)('$name', ({ endpoint }) => {
    testMalformedBodies(endpoint, {
      getSample: () => unusedSampleOf(endpoint),
      send: async (change) =>
        callWithUnusedSample(endpoint, { token: tokenFor(endpoint, await unusedSampleOf(endpoint)), ...change }),
    });
  });

  describe('with an expired key', () => {
    test.each(forKeys)('$name returns token_expired', async ({ endpoint }) => {
      const { later, token } = await afterKeyExpiry();
      const { method, path, request } = endpoint.route;
      const response = await later.call(method.toUpperCase(), pathOf(path), {
        token,
        ...(request?.body ? { body: {} } : {}),
      });
      expect([response.status, response.body.error]).toEqual([401, 'token_expired']);
    });
  });

  describe('with a suspended plan', () => {
    test.each(withPlan)('$name returns payment_required', async ({ endpoint }) => {
      const response = await callWithUnusedSample(endpoint, { token: await suspendedKey() });
      expect([response.status, response.body.error]).toEqual([402, 'payment_required']);
      expect((await callWithUnusedSample(endpoint, { token: await reactivatedKey() })).status).not.toBe(402);
    });
  });
}
