import { beforeAll, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { call, daybook, eventually, newAccount } from './caller.ts';

let account: NewAccount;
beforeAll(async () => {
  account = await newAccount();
});

test('users are created, listed, changed and deleted', async () => {
  const token = account.live_key;
  const created = await call('POST', '/v1/users', { token, body: { external_ref: 'ada', timezone: 'Europe/London' } });
  expect([created.status, created.body.external_ref]).toEqual([201, 'ada']);
  const conflict = await call('POST', '/v1/users', { token, body: { external_ref: 'ada' } });
  expect([conflict.status, conflict.body.details]).toEqual([409, { user_id: created.body.id }]);
  expect(
    (await call('PATCH', `/v1/users/${created.body.id}`, { token, body: { timezone: 'Asia/Tokyo' } })).status,
  ).toBe(200);
  await eventually(async () => {
    const listed = await call('GET', '/v1/users', { token });
    expect(listed.body.data).toMatchObject([{ id: created.body.id, timezone: 'Asia/Tokyo' }]);
  });
  expect((await call('GET', `/v1/users/${created.body.id}`, { token: account.sandbox_key })).status).toBe(404);
  expect((await call('DELETE', `/v1/users/${created.body.id}`, { token })).status).toBe(202);
  expect((await call('GET', `/v1/users/${created.body.id}`, { token })).status).toBe(404);
});

test('catalogs are served, and compressed on request', async () => {
  for (const path of ['/v1/providers', '/v1/metrics', '/v1/workout-types', '/v1/consolidation/catalog']) {
    const response = await call('GET', path, { token: account.live_key, headers: { 'accept-encoding': 'br' } });
    expect([path, response.status]).toEqual([path, 200]);
    expect(Object.keys(response.body).length).toBeGreaterThan(0);
  }
});

test('a user token reads its user, verifies with the published keys and ends with the user', async () => {
  const token = account.live_key;
  const user = (await call('POST', '/v1/users', { token, body: {} })).body.id;
  const issued = await call('POST', '/v1/auth/user-token', { token, body: { user_id: user } });
  expect(issued.status).toBe(200);
  expect((await call('GET', '/.well-known/jwks.json')).body.keys).toHaveLength(1);
  const read = () => call('GET', `/v1/users/${user}/devices`, { token: issued.body.token });
  expect((await read()).body).toEqual({ data: [] });
  expect((await call('GET', '/v1/users', { token: issued.body.token })).body.error).toBe('insufficient_scope');
  await call('DELETE', `/v1/users/${user}`, { token });
  expect((await read()).status).toBe(404);
  expect((await call('POST', '/v1/auth/mobile-token', { token, body: { user_id: user } })).status).toBe(404);
});

test('a rotated key is rejected immediately, and a suspended account gets a 402', async () => {
  const other = await newAccount();
  expect((await call('GET', '/v1/metrics', { token: other.live_key })).status).toBe(200);
  const { key = '' } = await daybook('keys', 'create', '--account', other.account_id, '--env', 'live');
  expect((await call('GET', '/v1/metrics', { token: other.live_key })).body.error).toBe('invalid_token');
  expect((await call('GET', '/v1/metrics', { token: key })).status).toBe(200);
  await daybook('accounts', 'suspend', other.account_id);
  expect((await call('GET', '/v1/metrics', { token: key })).status).toBe(402);
  await daybook('accounts', 'resume', other.account_id);
  expect((await call('GET', '/v1/metrics', { token: key })).status).toBe(200);
});

test('every error has the documented body', async () => {
  const token = account.live_key;
  for (const [method, path, options, status, code] of [
    ['GET', '/v1/users', {}, 401, 'unauthorized'],
    ['PUT', '/v1/users', { token }, 405, 'method_not_allowed'],
    ['GET', '/v1/nothing', { token }, 404, 'not_found'],
    ['POST', '/v1/users', { token, raw: '{' }, 400, 'invalid_body'],
    [
      'POST',
      '/v1/users',
      { token, raw: 'x', headers: { 'content-type': 'text/plain' } },
      415,
      'unsupported_media_type',
    ],
    ['GET', '/v1/users?limit=0', { token }, 400, 'invalid_request'],
  ] as const) {
    const response = await call(method, path, options);
    expect([path, response.status, response.body?.error]).toEqual([path, status, code]);
    expect(response.headers.get('x-request-id')).toBeTruthy();
    expect(response.headers.get('ratelimit')).toBeTruthy();
  }
});
