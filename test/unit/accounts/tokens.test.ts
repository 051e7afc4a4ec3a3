// A user token is valid only if its issuer, audience, subject, signing key, algorithm and lifetime
// all are.
import { generateKeyPairSync } from 'node:crypto';
import { type CryptoKey, decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDeps } from '../../../functions/runtime/deps.ts';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { createSigningKeyCache } from '../../../shared/accounts/signing-keys.ts';
import { createUserTokenIssuer } from '../../../shared/accounts/tokens.ts';
import { createUserTokenVerifier } from '../../../shared/accounts/user-token-verifier.ts';
import { EngineUnavailable } from '../../../shared/platform/ports.ts';
import type { Caller } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { createUser } from '../../../shared/users/users.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { storeOn } from '../../harness/store-on.ts';

type Claims = Record<string, unknown>;

let world: EngineDomainWorld;
let key: CryptoKey;
let kid: string;
let claims: Claims;
let verify: ReturnType<typeof createUserTokenVerifier>;
beforeAll(async () => {
  world = await openEngineDomainWorld();
  const { token } = await createUserTokenIssuer(world.deps)(world.caller, await world.user());
  claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  ({ key, kid } = await createSigningKeyCache(world.deps)());
  verify = createUserTokenVerifier(world.deps);
});
afterAll(() => world.localTable.stop());

/** Signs with the key of this deployment. */
const signed = (change: Claims, header: object = {}) =>
  new SignJWT(Object.fromEntries(Object.entries({ ...claims, ...change }).filter(([, value]) => value !== undefined)))
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT', ...header })
    .sign(key);
const codeOf = (token: string): Promise<string> =>
  verify(token).then(
    () => 'ok',
    (error: { code?: string }) => error.code ?? String(error),
  );

test('a token of this deployment is accepted', async () => {
  expect(await codeOf(await signed({}))).toBe('ok');
});

describe('a token signed with the key of this deployment is rejected', () => {
  test.each<[string, Claims]>([
    ['from another issuer', { iss: 'daybook:somebody-else' }],
    ['from an issuer whose name is a prefix of the real one', { iss: 'daybook' }],
    ['without an issuer', { iss: undefined }],
    ['for another audience', { aud: 'another service' }],
    ['without an audience', { aud: undefined }],
    ['without a subject', { sub: undefined }],
    ['without an account', { acc: undefined }],
    ['for an unknown environment', { env: 'staging' }],
    ['without an expiry', { exp: undefined }],
    ['without an issue time', { iat: undefined }],
  ])('%s', async (_what, change) => {
    expect(await codeOf(await signed(change))).toBe('invalid_token');
  });

  test('after its expiry, with its own error code', async () => {
    const now = Math.floor(world.clock.now() / 1000);
    expect(await codeOf(await signed({ exp: now - 1 }))).toBe('token_expired');
  });

  test('without a key id or with an unknown one', async () => {
    for (const other of [undefined, '', `${kid}x`, 'a.b', kid.split('.')[0]])
      expect(await codeOf(await signed({}, { kid: other }))).toBe('invalid_token');
  });
});

describe('a token is rejected', () => {
  test('if it uses another algorithm, even under a valid key id', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
    const forged = [
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(rsa),
      await new SignJWT(claims).setProtectedHeader({ alg: 'ES384', kid }).sign(p384),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(new Uint8Array(32)),
    ];
    for (const token of forged) expect(await codeOf(token)).toBe('invalid_token');
  });

  test('if another deployment issued it, even when both share a table', async () => {
    const { deps, caller } = await openOtherDeployment();
    const { token } = await createUserTokenIssuer(deps)(caller, (await createUser(deps, caller, {})).id);
    expect(await codeOf(token)).toBe('invalid_token');
    expect(decodeJwt(token).iss).not.toBe(claims['iss']);
  });
});

test('a token is not called invalid because the table is unavailable', async () => {
  const unavailable = () => Promise.reject(new EngineUnavailable('the table is unavailable'));
  const store = storeOn({ ...world.deps.store.table, get: unavailable, query: unavailable });
  const attempt = createUserTokenVerifier({ ...world.deps, store })(await signed({}));
  await expect(attempt).rejects.toThrow(EngineUnavailable);
});

test('a token expires by the clock of the deployment', async () => {
  const token = await signed({});
  world.clock.advance(Number(claims['exp']) * 1000 - world.clock.now() - 1_000);
  expect(await codeOf(token)).toBe('ok');
  world.clock.advance(1_000);
  expect(await codeOf(token)).toBe('token_expired');
});

/** Another deployment: it shares the table but has its own root secret. */
async function openOtherDeployment(): Promise<{ deps: Deps; caller: Caller }> {
  const deps = makeDeps({
    table: world.localTable.table,
    queue: { send: async () => {}, sendAll: async () => {}, postpone: async () => {} },
    bus: { publish: async () => {} },
    rootSecret: 'another root secret of more than 32 characters',
    // Far enough ahead that it creates its own signing key: it could not open the stored one.
    clock: { now: () => world.clock.now() + 31 * 24 * 3_600_000 },
    log: () => {},
    deployment: { kind: 'local' },
  });
  const { account_id } = await createAccount(deps, { name: 'another' });
  return { deps, caller: { kind: 'api_key', account: account_id, env: 'live', form: 2 } };
}
