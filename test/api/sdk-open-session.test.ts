import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { setAccountStatus } from '../../shared/accounts/accounts.ts';
import {
  createCredentials,
  exchange,
  installation,
  makeUpload,
  openSession,
  refresh,
  requestSession,
  upload,
} from '../harness/sdk.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { sharedSystem, timeTravelSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let account: NewAccount;
let key: string;
let user: string;

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  key = account.live_key;
  user = await system.user(key);
});

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const outcomeOf = ({ status, body }: ApiResponse): string => `${status} ${body?.error ?? 'ok'}`;
const listSessions = async (userId = user) =>
  (await system.call('GET', `/v1/users/${userId}/sdk-sessions`, { token: key })).body.data;
/** Returns whether the API accepts an access token. */
const tryAccessToken = async (token: string) => outcomeOf(await upload(system, token, makeUpload()));
describe('opening a session', () => {
  test('returns a bootstrap that is valid for ten minutes, and lists a pending session', async () => {
    const userId = await system.user(key);
    const body = installation();
    const result = await requestSession(system, key, userId, body);
    expect(result.status).toBe(201);
    expect(result.body).toMatchObject({
      status: 'pending',
      user_id: userId,
      upload: { url: `${system.host.baseUrl}/v1/sdk/data`, history_days: 730 },
    });
    expect(result.body.upload.max_batch_bytes).toBeLessThanOrEqual(5_000_000);
    const lifetimeMs = Date.parse(result.body.expires_at) - system.clock.now();
    expect(lifetimeMs).toBeGreaterThan(9.9 * minute);
    expect(lifetimeMs).toBeLessThanOrEqual(10 * minute);
    expect(await listSessions(userId)).toEqual([
      { ...body, id: result.body.session_id, status: 'pending', created_at: expect.any(String), last_seen_at: null },
    ]);
  });

  test('with the same key and body returns the same bootstrap again, even after it was used', async () => {
    const [body, idempotencyKey] = [installation(), randomUUID()];
    const first = await requestSession(system, key, user, body, idempotencyKey);
    const again = () => requestSession(system, key, user, { ...body }, idempotencyKey);
    expect([first.status, (await again()).status]).toEqual([201, 200]);
    expect((await again()).body).toEqual(first.body);
    await exchange(system, first.body.client_token);
    expect((await again()).body).toEqual(first.body);
    const shuffled = Object.fromEntries(Object.entries(body).reverse());
    const upper = { ...shuffled, installation_id: body.installation_id.toUpperCase() };
    expect((await requestSession(system, key, user, upper, idempotencyKey.toUpperCase())).body).toEqual(first.body);
  });

  test.each([
    ['app_id', 'com.example.other'],
    ['installation_id', randomUUID()],
    ['platform', 'android'],
    ['provider', 'samsung_health'],
  ])('with the same key and another %s is a conflict', async (field, value) => {
    const [body, idempotencyKey] = [installation(), randomUUID()];
    await requestSession(system, key, user, body, idempotencyKey);
    const result = await requestSession(system, key, user, { ...body, [field]: value }, idempotencyKey);
    expect(outcomeOf(result)).toBe('409 idempotency_conflict');
  });

  test('with another key recovers a known installation, and invalidates the old client token', async () => {
    const body = installation();
    const first = await openSession(system, key, user, body);
    const result = await requestSession(system, key, user, body);
    expect([result.status, result.body.session_id]).toEqual([200, first.session_id]);
    expect(result.body.client_token).not.toBe(first.client_token);
    expect(outcomeOf(await exchange(system, first.client_token))).toBe('401 invalid_token');
    expect(outcomeOf(await exchange(system, result.body.client_token))).toBe('200 ok');
  });

  test('a recovery ends the previous credentials immediately', async () => {
    const body = installation();
    const { client_token } = await openSession(system, key, user, body);
    const before = (await exchange(system, client_token)).body;
    const recovered = await openSession(system, key, user, body);
    expect(await tryAccessToken(before.access_token)).toBe('401 invalid_token');
    expect(outcomeOf(await refresh(system, before.refresh_token))).toBe('401 invalid_token');
    const after = (await exchange(system, recovered.client_token)).body;
    expect(after.session_id).toBe(before.session_id);
    expect(outcomeOf(await refresh(system, after.refresh_token))).toBe('200 ok');
  });

  test('after a recovery, a late refresh by the previous phone does not end the new session', async () => {
    const body = installation();
    const before = (await exchange(system, (await openSession(system, key, user, body)).client_token)).body;
    const after = (await exchange(system, (await openSession(system, key, user, body)).client_token)).body;
    expect(outcomeOf(await refresh(system, before.refresh_token))).toBe('401 invalid_token');
    expect(await tryAccessToken(after.access_token)).toBe('202 ok');
    expect(outcomeOf(await refresh(system, after.refresh_token))).toBe('200 ok');
  });

  test('an installation has one session per provider', async () => {
    const userId = await system.user(key);
    const body = installation({ platform: 'android', provider: 'health_connect' });
    await openSession(system, key, userId, body);
    const other = await requestSession(system, key, userId, { ...body, provider: 'samsung_health' });
    expect(other.status).toBe(201);
    expect((await listSessions(userId)).map(({ provider }: { provider: string }) => provider).sort()).toEqual([
      'health_connect',
      'samsung_health',
    ]);
  });

  test.each([undefined, '', 'abc', '1234', `${randomUUID()}0`])('with the key %j is rejected', async (sentKey) => {
    const result = await system.call('POST', `/v1/users/${user}/sdk-sessions`, {
      token: key,
      body: installation(),
      headers: sentKey === undefined ? {} : { 'idempotency-key': sentKey },
    });
    expect(outcomeOf(result)).toBe('400 invalid_request');
    expect(result.body.details.issues[0].path).toBe('Idempotency-Key');
  });

  test.each([
    { installation_id: 'phone' },
    { platform: 'windows' },
    { provider: 'oura' },
    { app_id: '' },
    { app_id: 'x'.repeat(256) },
    { app_id: '\ud800' },
    { more: 1 },
  ])('with %j is rejected', async (more) => {
    const result = await requestSession(system, key, user, { ...installation(), ...more });
    expect(outcomeOf(result)).toBe('400 invalid_body');
    expect(result.body.details.issues[0].path).toBe(Object.keys(more)[0]);
  });

  test('sixteen times concurrently with one key creates one session and returns one response', async () => {
    const userId = await system.user(key);
    const [body, idempotencyKey] = [installation(), randomUUID()];
    const result = await Promise.all(
      Array.from({ length: 16 }, () => requestSession(system, key, userId, body, idempotencyKey)),
    );
    expect(result.map(({ status }) => status).sort()).toEqual([...Array(15).fill(200), 201]);
    expect(new Set(result.map(({ text }) => text)).size).toBe(1);
    expect(await listSessions(userId)).toHaveLength(1);
  });

  test('sixteen times concurrently with different keys creates one session, and one client token works', async () => {
    const userId = await system.user(key);
    const body = installation();
    const result = await Promise.all(Array.from({ length: 16 }, () => requestSession(system, key, userId, body)));
    expect(result.map(({ status }) => status).sort()).toEqual([...Array(15).fill(200), 201]);
    expect(await listSessions(userId)).toHaveLength(1);
    const exchanged = await Promise.all(result.map(({ body: { client_token } }) => exchange(system, client_token)));
    expect(exchanged.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('a key is forgotten after 24 hours', async () => {
    const own = await timeTravelSystem();
    const { live_key } = await own.account();
    const userId = await own.user(live_key);
    const [body, idempotencyKey] = [installation(), randomUUID()];
    const first = await requestSession(own, live_key, userId, body, idempotencyKey);
    own.clock.advance(day - minute);
    expect((await requestSession(own, live_key, userId, body, idempotencyKey)).body).toEqual(first.body);
    own.clock.advance(2 * minute);
    const later = await requestSession(own, live_key, userId, body, idempotencyKey);
    expect(later.body.client_token).not.toBe(first.body.client_token);
    expect((await exchange(own, later.body.client_token)).status).toBe(200);
  });

  test('a session that no phone started expires after 24 hours, and its installation can open a new one', async () => {
    const own = await timeTravelSystem();
    const { live_key } = await own.account();
    const userId = await own.user(live_key);
    const body = installation();
    const first = await openSession(own, live_key, userId, body);
    own.clock.advance(day + hour);
    const path = `/v1/users/${userId}/sdk-sessions`;
    expect((await own.call('GET', path, { token: live_key })).body.data).toEqual([]);
    const result = await requestSession(own, live_key, userId, body);
    expect([result.status, result.body.session_id === first.session_id]).toEqual([201, false]);
    expect((await own.call('GET', path, { token: live_key })).body.data).toHaveLength(1);
  });

  test('works for a suspended account, and so do uploads', async () => {
    const other = await system.account();
    const userId = await system.user(other.live_key);
    await setAccountStatus(system.host.deps, other.account_id, 'suspended');
    const { access_token } = await createCredentials(system, other.live_key, userId);
    expect(await tryAccessToken(access_token)).toBe('202 ok');
  });
});
