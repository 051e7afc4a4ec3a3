import { createHmac, createPublicKey } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { rotateSigningKey } from '../../shared/accounts/signing-keys.ts';
import { MobileScope } from '../../shared/catalog/mobile-scopes.ts';
import { sharedSystem, timeTravelSystem } from '../harness/shared-system.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
let account: NewAccount;
let user: string;
let token: string;

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  user = await system.user(account.live_key);
  token = await system.userToken(account.live_key, user);
});

const read = (bearer: string) => system.call('GET', `/v1/users/${user}/devices`, { token: bearer });
const readOutcome = async (bearer: string) => {
  const { status, body } = await read(bearer);
  return `${status} ${body.error ?? 'ok'}`;
};
const encodeTokenPart = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a user token', () => {
  test('is valid for an hour, names its user and environment, and verifies with the published keys', async () => {
    const { keys } = (await system.call('GET', '/.well-known/jwks.json')).body;
    const { kid, alg } = decodeProtectedHeader(token);
    const key = keys.find((each: { kid: string }) => each.kid === kid);
    const { payload } = await jwtVerify(token, await importJWK(key, alg), {
      currentDate: new Date(system.clock.now()),
    });
    expect(payload).toMatchObject({ sub: user, env: 'live', aud: 'daybook' });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600);
    expect(key).not.toHaveProperty('d');
  });

  test('can read its user', async () => expect(await readOutcome(token)).toBe('200 ok'));

  test('with alg none is rejected', async () => {
    const payload = token.split('.')[1];
    expect(await readOutcome(`${encodeTokenPart({ alg: 'none' })}.${payload}.`)).toBe('401 invalid_token');
    expect(
      await readOutcome(`${encodeTokenPart({ alg: 'none', kid: decodeProtectedHeader(token).kid })}.${payload}.`),
    ).toBe('401 invalid_token');
  });

  test('signed with HS256 and the public key as the secret is rejected', async () => {
    const { keys } = (await system.call('GET', '/.well-known/jwks.json')).body;
    const pem = createPublicKey({ key: keys[0], format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    for (const secret of [pem, JSON.stringify(keys[0])]) {
      const body = `${encodeTokenPart({ alg: 'HS256', kid: keys[0].kid, typ: 'JWT' })}.${token.split('.')[1]}`;
      const signature = createHmac('sha256', secret).update(body).digest('base64url');
      expect(await readOutcome(`${body}.${signature}`)).toBe('401 invalid_token');
    }
  });

  test('of another deployment is rejected', async () => {
    const other = await timeTravelSystem();
    const theirs = await other.account();
    const theirUser = await other.user(theirs.live_key);
    expect(await readOutcome(await other.userToken(theirs.live_key, theirUser))).toBe('401 invalid_token');
  });

  test('signed by another party under a known key id is rejected', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const forged = await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'ES256', kid: decodeProtectedHeader(token).kid ?? '' })
      .sign(privateKey);
    expect(await readOutcome(forged)).toBe('401 invalid_token');
  });

  test('with any byte of its payload changed is rejected', async () => {
    const [header, payload = '', signature] = token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    for (const change of [{ sub: `${user}x` }, { env: 'sandbox' }, { acc: 'acc_other' }, { exp: claims.exp + 9999 }])
      expect(await readOutcome(`${header}.${encodeTokenPart({ ...claims, ...change })}.${signature}`)).toBe(
        '401 invalid_token',
      );
  });

  test('expires after an hour with token_expired; its successor works', async () => {
    const own = await timeTravelSystem();
    const { live_key } = await own.account();
    const id = await own.user(live_key);
    const first = await own.userToken(live_key, id);
    own.clock.advance(3600 * 1000 - 5000);
    const listDevices = (bearer: string) => own.call('GET', `/v1/users/${id}/devices`, { token: bearer });
    expect((await listDevices(first)).status).toBe(200);
    const second = await own.call('POST', '/v1/auth/user-token/refresh', { token: live_key, body: { user_id: id } });
    own.clock.advance(6000);
    expect((await listDevices(first)).body.error).toBe('token_expired');
    expect((await listDevices(second.body.token)).status).toBe(200);
  });

  test('survives a rotation of the signing key, and the old public key is removed after its last token expires', async () => {
    // A separate system, because the test counts the keys of the whole deployment.
    const own = await startSystem();
    const { live_key } = await own.account();
    const id = await own.user(live_key);
    const before = await own.userToken(live_key, id);
    await rotateSigningKey(own.host.deps);
    own.clock.advance(61_000);
    const after = await own.userToken(live_key, id);
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    for (const bearer of [before, after])
      expect((await own.call('GET', `/v1/users/${id}/devices`, { token: bearer })).status).toBe(200);
    const published = async () => (await own.call('GET', '/.well-known/jwks.json')).body.keys.length;
    expect(await published()).toBe(2);
    own.clock.advance(3600 * 1000 + 61_000);
    expect(await published()).toBe(1);
    await own.stop();
  });

  test('is signed with a new key after 30 days, automatically', async () => {
    const own = await timeTravelSystem();
    const { live_key } = await own.account();
    const id = await own.user(live_key);
    const before = decodeProtectedHeader(await own.userToken(live_key, id)).kid;
    own.clock.advance(31 * 24 * 3600 * 1000);
    expect(decodeProtectedHeader(await own.userToken(live_key, id)).kid).not.toBe(before);
  });

  test('outlives the rotation of the API key that issued it', async () => {
    const other = await system.account();
    const id = await system.user(other.live_key);
    const bearer = await system.userToken(other.live_key, id);
    const { createKey } = await import('../../shared/accounts/accounts.ts');
    const read = () => system.call('GET', `/v1/users/${id}/devices`, { token: bearer });
    expect((await read()).status).toBe(200);
    await createKey(system.host.deps, other.account_id, 'live');
    expect((await read()).status).toBe(200);
  });
});

describe('issuing tokens', () => {
  test.each(['/v1/auth/user-token', '/v1/auth/user-token/refresh', '/v1/auth/mobile-token'])(
    "%s accepts only users of the caller's environment",
    async (path) => {
      const otherAccount = await system.account();
      for (const [bearer, id] of [
        [otherAccount.live_key, user],
        [account.sandbox_key, user],
        [account.live_key, 'usr_nobody'],
      ] as const) {
        const response = await system.call('POST', path, { token: bearer, body: { user_id: id } });
        expect([response.status, response.body]).toMatchObject([
          404,
          { error: 'not_found', message: `User ${id} not found.` },
        ]);
      }
    },
  );

  test('a mobile token has its prefix, is valid for five minutes and is stored only as a hash', async () => {
    const response = await system.call('POST', '/v1/auth/mobile-token', {
      token: account.live_key,
      body: { user_id: user },
    });
    expect(response.body.token).toMatch(/^mt_[0-9A-Za-z]{43}$/);
    const lifetimeMs = Date.parse(response.body.expires_at) - system.clock.now();
    expect(lifetimeMs).toBeGreaterThan(295_000);
    expect(lifetimeMs).toBeLessThanOrEqual(300_000);
    const row = await system.host.table.get({
      pk: `M#${system.host.deps.keyring.hash('mobile-token', response.body.token)}`,
      sk: 'MOBILE',
    });
    expect(row).toMatchObject({ user, scopes: null });
    expect(JSON.stringify(row)).not.toContain(response.body.token.slice(3));
  });

  test.each([[['scores']], [MobileScope.options], [['sleep', 'sleep']]])('%j are valid scopes', async (scopes) => {
    const body = { user_id: user, scopes };
    expect((await system.call('POST', '/v1/auth/mobile-token', { token: account.live_key, body })).status).toBe(200);
  });

  test('an unknown or empty scope list is rejected', async () => {
    for (const scopes of [['dreams'], [], 'sleep', [7]]) {
      const response = await system.call('POST', '/v1/auth/mobile-token', {
        token: account.live_key,
        body: { user_id: user, scopes },
      });
      expect([response.status, response.body.error]).toEqual([400, 'invalid_body']);
    }
  });
});
