// Signing in with passkeys, against an authenticator in software.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { passkeyVerifier } from '../../functions/api/sign-in/passkey-verifier.ts';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { admitSession, hashIfSessionToken } from '../../shared/console/admit-session.ts';
import { registerPasskey } from '../../shared/console/passkeys.ts';
import { asBrowser, ownPage, readSetCookie, type SignedIn, signIn } from '../harness/console-session.ts';
import { sharedSystem, timeTravelSystem } from '../harness/shared-system.ts';
import { type AnswerOptions, createAuthenticator } from '../harness/software-authenticator.ts';
import type { System } from '../harness/system.ts';

let system: System;
let account: NewAccount;
let origin: string;

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  origin = system.host.baseUrl;
});
beforeEach(() => system.clock.advance(500));

const refusal = [401, 'invalid_token'];

async function beginRegistering({ headers }: SignedIn, on = system) {
  const { status, body } = await on.call('POST', '/console/api/passkeys/options', { headers });
  expect(status).toBe(200);
  return body;
}

async function register(signedIn: SignedIn, on = system, authenticator = createAuthenticator()) {
  const { challenge } = await beginRegistering(signedIn, on);
  const credential = authenticator.create(challenge, { origin: on.host.baseUrl });
  const response = await on.call('POST', '/console/api/passkeys', {
    headers: signedIn.headers,
    body: { name: 'My laptop', credential },
  });
  expect(response.status).toBe(201);
  return { authenticator, passkey: response.body };
}

async function requestChallenge(on = system): Promise<string> {
  const { status, body } = await on.call('POST', '/console/api/sign-in/passkeys/options', { headers: ownPage });
  expect([status, body.userVerification, body.allowCredentials]).toEqual([200, 'required', []]);
  return body.challenge;
}

const sendAssertion = (body: object, on = system) =>
  on.call('POST', '/console/api/sign-in/passkeys', { headers: ownPage, body });

async function answer(
  authenticator: ReturnType<typeof createAuthenticator>,
  options: Partial<AnswerOptions> = {},
  on = system,
) {
  const challenge = await requestChallenge(on);
  const { status, body, headers } = await sendAssertion(
    authenticator.get(challenge, { origin: on.host.baseUrl, ...options }),
    on,
  );
  return { outcome: status === 201 ? [201] : [status, body.error], cookie: readSetCookie(headers) };
}

describe('a passkey', () => {
  test('signs its colleague in, and is listed until it is removed', async () => {
    const support = await signIn(system, account, 'support');
    const { authenticator, passkey } = await register(support);
    const { outcome, cookie } = await answer(authenticator, { counter: 1 });
    expect(outcome).toEqual([201]);
    const headers = asBrowser(cookie);
    const me = await system.call('GET', '/console/api/me', { headers });
    expect([me.body.colleague.id, me.body.passkeys]).toEqual([
      support.colleague.id,
      { available: true, reason: null, count: 1 },
    ]);
    const list = await system.call('GET', '/console/api/passkeys', { headers });
    expect(list.body.data).toEqual([
      { ...passkey, name: 'My laptop', origin, is_usable: true, last_used_at: expect.any(String) },
    ]);
    const stranger = await signIn(system, account, 'owner');
    const path = `/console/api/passkeys/${passkey.id}`;
    expect((await system.call('DELETE', path, { headers: stranger.headers })).status).toBe(404);
    expect((await system.call('DELETE', path, { headers })).status).toBe(204);
    expect((await answer(authenticator, { counter: 2 })).outcome).toEqual(refusal);
  });

  test('has no second use of an answer, not even at the same moment', async () => {
    const { authenticator } = await register(await signIn(system, account, 'support'));
    const assertion = authenticator.get(await requestChallenge(), { origin });
    const answers = await Promise.all([1, 2, 3].map(() => sendAssertion(assertion)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
    expect((await sendAssertion(assertion)).status).toBe(401);
  });

  test('is refused when its counter shows that there is a copy', async () => {
    const { authenticator } = await register(await signIn(system, account, 'support'));
    expect((await answer(authenticator, { counter: 5 })).outcome).toEqual([201]);
    for (const counter of [5, 4, 0]) expect((await answer(authenticator, { counter })).outcome).toEqual(refusal);
    expect((await answer(authenticator, { counter: 6 })).outcome).toEqual([201]);
  });

  test('that does not count signs in again and again', async () => {
    const { authenticator } = await register(await signIn(system, account, 'support'));
    for (let count = 0; count < 3; count++) expect((await answer(authenticator)).outcome).toEqual([201]);
  });

  test.each<[string, Partial<AnswerOptions>]>([
    ['without checking who used it', { isVerified: false }],
    ['at another origin', { origin: 'http://localhost:1' }],
    ['for another domain', { rpId: 'example.com' }],
  ])('is refused %s', async (_why, options) => {
    const { authenticator } = await register(await signIn(system, account, 'support'));
    expect((await answer(authenticator, options)).outcome).toEqual(refusal);
  });

  test('is refused with the signature of another, or with a challenge that nobody issued', async () => {
    const { authenticator } = await register(await signIn(system, account, 'support'));
    expect((await answer(createAuthenticator(authenticator.credentialId))).outcome).toEqual(refusal);
    expect((await answer(createAuthenticator())).outcome).toEqual(refusal);
    const { status } = await sendAssertion(authenticator.get('bm90IGlzc3VlZA', { origin }));
    expect(status).toBe(401);
  });

  test('ends with a link from an owner, and with its colleague', async () => {
    const owner = await signIn(system, account, 'owner');
    for (const [method, suffix] of [
      ['POST', '/link'],
      ['DELETE', ''],
    ] as const) {
      const support = await signIn(system, account, 'support');
      const { authenticator } = await register(support);
      const path = `/console/api/colleagues/${support.colleague.id}${suffix}`;
      expect((await system.call(method, path, { headers: owner.headers })).status).toBeLessThan(300);
      expect((await answer(authenticator)).outcome).toEqual(refusal);
    }
  });
});

test('no passkey is registered by a request that was under way when an owner ended every access', async () => {
  const [owner, thief] = [await signIn(system, account, 'owner'), await signIn(system, account, 'support')];
  const { challenge } = await beginRegistering(thief);
  const credential = createAuthenticator().create(challenge, { origin });
  const { deps } = system.host;
  const hash = hashIfSessionToken(deps, thief.cookie.split('=')[1] ?? '');
  if (hash === undefined) throw new Error('the cookie has no session');
  const { caller } = await admitSession(deps, hash, 'live');
  const path = `/console/api/colleagues/${thief.colleague.id}/link`;
  expect((await system.call('POST', path, { headers: owner.headers })).status).toBe(201);
  await expect(registerPasskey(deps, caller, { credential }, origin, passkeyVerifier)).rejects.toMatchObject({
    code: 'invalid_token',
  });
  const { body } = await system.call('GET', '/console/api/colleagues', { headers: owner.headers });
  expect(body.data).toContainEqual(expect.objectContaining({ id: thief.colleague.id, passkeys: 0 }));
});

test('asking who is signed in costs one more read for a colleague with passkeys, of all of them at once', async () => {
  const support = await signIn(system, account, 'support');
  const countCalls = async () => {
    await system.call('GET', '/console/api/me', { headers: support.headers });
    system.calls.length = 0;
    await system.call('GET', '/console/api/me', { headers: support.headers });
    return system.calls.map(({ operation }) => operation).sort();
  };
  const without = await countCalls();
  await register(support);
  await register(support);
  expect(await countCalls()).toEqual(['BatchGetItem', ...without]);
});

describe('a challenge', () => {
  test('ends after five minutes, although its row may still be there', async () => {
    const later = await timeTravelSystem();
    const { authenticator } = await register(await signIn(later, await later.account(), 'owner'), later);
    const challenge = await requestChallenge(later);
    later.clock.advance(300_000);
    const assertion = authenticator.get(challenge, { origin: later.host.baseUrl });
    expect((await sendAssertion(assertion, later)).status).toBe(401);
  });

  test('to register is of no use to sign in, or to another colleague', async () => {
    const [first, second] = [await signIn(system, account, 'support'), await signIn(system, account, 'support')];
    const { authenticator } = await register(first);
    const { challenge } = await beginRegistering(first);
    expect((await sendAssertion(authenticator.get(challenge, { origin }))).status).toBe(401);
    const { challenge: other } = await beginRegistering(first);
    const credential = createAuthenticator().create(other, { origin });
    const response = await system.call('POST', '/console/api/passkeys', {
      headers: second.headers,
      body: { credential },
    });
    expect([response.status, response.body.error]).toEqual(refusal);
  });

  test('registers a credential once, and offers known ones no second time', async () => {
    const [first, second] = [await signIn(system, account, 'support'), await signIn(system, account, 'support')];
    const { authenticator } = await register(first);
    expect((await beginRegistering(first)).excludeCredentials).toEqual([
      { id: authenticator.credentialId, type: 'public-key' },
    ]);
    const { challenge } = await beginRegistering(second);
    const credential = authenticator.create(challenge, { origin });
    const response = await system.call('POST', '/console/api/passkeys', {
      headers: second.headers,
      body: { credential },
    });
    expect([response.status, response.body.error]).toEqual(refusal);
  });

  test('is answered from our own pages only', async () => {
    for (const path of ['/console/api/sign-in/passkeys/options', '/console/api/sign-in/passkeys']) {
      const body = createAuthenticator().get('x', { origin });
      const response = await system.call('POST', path, path.endsWith('options') ? {} : { body });
      expect([path, response.status, response.body.error]).toEqual([path, 401, 'unauthorized']);
    }
  });
});
