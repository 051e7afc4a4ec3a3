import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { sdkSessionRows } from '../../shared/mobile/sdk-session-rows.ts';
import { userPartition } from '../../shared/system/keys.ts';
import {
  createCredentials,
  createScopedCredentials,
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
const revoke = (sessionId: string, userId = user, token = key) =>
  system.call('DELETE', `/v1/users/${userId}/sdk-sessions/${sessionId}`, { token });
const signOut = (token: string) => system.call('DELETE', '/v1/sdk/sessions/current', { token });
/** Returns whether the API accepts an access token. */
const tryAccessToken = async (token: string) => outcomeOf(await upload(system, token, makeUpload()));
const issueMobileToken = async (body: object = {}, userId = user): Promise<string> =>
  (await system.call('POST', '/v1/auth/mobile-token', { token: key, body: { user_id: userId, ...body } })).body.token;
async function recordTableCalls(request: () => Promise<unknown>): Promise<string[]> {
  await system.host.drain();
  const before = system.calls.length;
  await request();
  return system.calls.slice(before).map(({ operation }) => operation);
}
/** Returns the token with one character replaced by another of its alphabet. */
const alterToken = (token: string, at: number): string =>
  token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);

describe('exchanging a client token', () => {
  test('returns an access token for one day and a refresh token for 60, and activates the session', async () => {
    const userId = await system.user(key);
    const { session_id, client_token } = await openSession(system, key, userId);
    const { status, body } = await exchange(system, client_token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ session_id, user_id: userId });
    const now = system.clock.now();
    expect(Math.abs(Date.parse(body.access_expires_at) - now - day)).toBeLessThan(5000);
    expect(Math.abs(Date.parse(body.refresh_expires_at) - now - 60 * day)).toBeLessThan(5000);
    expect(await tryAccessToken(body.access_token)).toBe('202 ok');
    const [session] = await listSessions(userId);
    expect([session.status, session.last_seen_at === null]).toEqual(['active', false]);
  });

  test('works once', async () => {
    const { client_token } = await openSession(system, key, user);
    expect(outcomeOf(await exchange(system, client_token))).toBe('200 ok');
    expect(outcomeOf(await exchange(system, client_token))).toBe('401 invalid_token');
  });

  test('works once, even if tried concurrently', async () => {
    const { client_token } = await openSession(system, key, user);
    const result = await Promise.all(Array.from({ length: 16 }, () => exchange(system, client_token)));
    expect(result.map(outcomeOf).sort()).toEqual(['200 ok', ...Array(15).fill('401 invalid_token')]);
  });

  test('with any one character altered is rejected without a table call', async () => {
    const { client_token } = await openSession(system, key, user);
    const calls = await recordTableCalls(async () => {
      for (let at = 0; at < client_token.length; at += 1)
        expect(outcomeOf(await exchange(system, alterToken(client_token, at)))).toBe('401 invalid_token');
      for (const token of [`${client_token}A`, client_token.slice(0, -1), `${client_token}.`, 'ct_', 'ct_.', 'x'])
        expect(outcomeOf(await exchange(system, token))).toBe('401 invalid_token');
    });
    expect(calls).toEqual([]);
    expect(outcomeOf(await exchange(system, client_token))).toBe('200 ok');
  });

  test('is rejected after ten minutes', async () => {
    const own = await timeTravelSystem();
    const { live_key } = await own.account();
    const userId = await own.user(live_key);
    const [early, late] = [await openSession(own, live_key, userId), await openSession(own, live_key, userId)];
    own.clock.advance(10 * minute - 5000);
    expect(outcomeOf(await exchange(own, early.client_token))).toBe('200 ok');
    own.clock.advance(6000);
    expect(outcomeOf(await exchange(own, late.client_token))).toBe('401 invalid_token');
  });

  test('rejects access and refresh tokens', async () => {
    const { access_token, refresh_token } = await createCredentials(system, key, user);
    for (const token of [access_token, refresh_token, access_token.replace('sdk_at_', 'ct_')])
      expect(outcomeOf(await exchange(system, token))).toBe('401 invalid_token');
  });
});

describe('exchanging a mobile token', () => {
  test("opens an active session for the phone's health platform", async () => {
    const userId = await system.user(key);
    for (const more of [{}, { platform: 'android' }, { ...installation({ provider: 'samsung_health' }) }])
      expect(outcomeOf(await exchange(system, await issueMobileToken({}, userId), more))).toBe('200 ok');
    const sessions = await listSessions(userId);
    expect(sessions.map(({ provider }: { provider: string }) => provider).sort()).toEqual([
      'apple_health',
      'health_connect',
      'samsung_health',
    ]);
    expect(new Set(sessions.map(({ status }: { status: string }) => status))).toEqual(new Set(['active']));
    expect(sessions.filter(({ app_id }: { app_id: string | null }) => app_id === null)).toHaveLength(2);
  });

  test('works once, even if tried concurrently', async () => {
    const userId = await system.user(key);
    const token = await issueMobileToken({}, userId);
    const result = await Promise.all(Array.from({ length: 16 }, () => exchange(system, token)));
    expect(result.map(outcomeOf).sort()).toEqual(['200 ok', ...Array(15).fill('401 invalid_token')]);
    expect(await listSessions(userId)).toHaveLength(1);
  });

  test('of a known installation continues its session and ends the old credentials', async () => {
    const userId = await system.user(key);
    const body = installation();
    const first = (await exchange(system, await issueMobileToken({}, userId), body)).body;
    const second = (await exchange(system, await issueMobileToken({}, userId), body)).body;
    expect(second.session_id).toBe(first.session_id);
    expect(await listSessions(userId)).toHaveLength(1);
    expect(outcomeOf(await refresh(system, second.refresh_token))).toBe('200 ok');
    expect(outcomeOf(await refresh(system, first.refresh_token))).toBe('401 invalid_token');
  });

  test('is rejected when it has expired, was never issued, or its user is gone', async () => {
    const own = await timeTravelSystem();
    const { live_key } = await own.account();
    const userId = await own.user(live_key);
    const issue = async () =>
      (await own.call('POST', '/v1/auth/mobile-token', { token: live_key, body: { user_id: userId } })).body.token;
    const expired = await issue();
    own.clock.advance(5 * minute);
    const fresh = await issue();
    await own.call('DELETE', `/v1/users/${userId}`, { token: live_key });
    for (const token of [expired, `mt_${'a'.repeat(43)}`, 'mt_', fresh])
      expect(outcomeOf(await exchange(own, token))).toBe('401 invalid_token');
  });
});

describe('refreshing a session', () => {
  test('returns a new pair each time, and previous access tokens keep working', async () => {
    const first = await createCredentials(system, key, user);
    const second = (await refresh(system, first.refresh_token)).body;
    const third = (await refresh(system, second.refresh_token)).body;
    expect(new Set([first, second, third].flatMap((pair) => [pair.access_token, pair.refresh_token])).size).toBe(6);
    for (const { access_token } of [first, second, third]) expect(await tryAccessToken(access_token)).toBe('202 ok');
  });

  test('with the previous token returns the same pair once more, and then ends the session', async () => {
    const first = await createCredentials(system, key, user);
    const second = (await refresh(system, first.refresh_token)).body;
    expect((await refresh(system, first.refresh_token)).body).toEqual(second);
    expect(await tryAccessToken(second.access_token)).toBe('202 ok');
    expect(outcomeOf(await refresh(system, first.refresh_token))).toBe('401 invalid_token');
    expect(outcomeOf(await refresh(system, second.refresh_token))).toBe('401 invalid_token');
    expect(await tryAccessToken(second.access_token)).toBe('401 invalid_token');
    expect((await listSessions()).map(({ id }: { id: string }) => id)).not.toContain(first.session_id);
  });

  test('with the previous token after a minute ends the session', async () => {
    const own = await timeTravelSystem();
    const { live_key } = await own.account();
    const userId = await own.user(live_key);
    const [honoured, reused] = [
      await createCredentials(own, live_key, userId),
      await createCredentials(own, live_key, userId),
    ];
    const successor = (await refresh(own, honoured.refresh_token)).body;
    const stolen = (await refresh(own, reused.refresh_token)).body;
    own.clock.advance(minute - 5000);
    expect((await refresh(own, honoured.refresh_token)).body).toEqual(successor);
    own.clock.advance(6000);
    expect(outcomeOf(await refresh(own, reused.refresh_token))).toBe('401 invalid_token');
    expect(
      own.log.filter(({ message }) => message === 'refresh_token_reused').map(({ fields }) => fields),
    ).toContainEqual({
      user_id: userId,
      session_id: reused.session_id,
    });
    expect(outcomeOf(await refresh(own, stolen.refresh_token))).toBe('401 invalid_token');
    expect(outcomeOf(await refresh(own, successor.refresh_token))).toBe('200 ok');
  });

  test('with a token older than the previous one ends the session', async () => {
    const first = await createCredentials(system, key, user);
    const second = (await refresh(system, first.refresh_token)).body;
    const third = (await refresh(system, second.refresh_token)).body;
    expect(outcomeOf(await refresh(system, first.refresh_token))).toBe('401 invalid_token');
    expect(outcomeOf(await refresh(system, third.refresh_token))).toBe('401 invalid_token');
  });

  test.each([2, 16])('%d times concurrently never returns two different pairs', async (times) => {
    const { refresh_token } = await createCredentials(system, key, user);
    const result = await Promise.all(Array.from({ length: times }, () => refresh(system, refresh_token)));
    const pairs = result.filter(({ status }) => status === 200);
    expect(pairs).toHaveLength(2);
    expect(new Set(pairs.map(({ text }) => text)).size).toBe(1);
    expect(result.filter(({ status }) => status === 401)).toHaveLength(times - 2);
  });

  test('extends it to 60 days from the last refresh', async () => {
    const own = await timeTravelSystem();
    const { live_key } = await own.account();
    const userId = await own.user(live_key);
    const [pair, left] = [
      await createCredentials(own, live_key, userId),
      await createCredentials(own, live_key, userId),
    ];
    own.clock.advance(59 * day);
    const next = (await refresh(own, pair.refresh_token)).body;
    own.clock.advance(59 * day);
    expect(outcomeOf(await refresh(own, next.refresh_token))).toBe('200 ok');
    expect(outcomeOf(await refresh(own, left.refresh_token))).toBe('401 token_expired');
    const { deps } = own.host;
    expect((await sdkSessionRows(deps.store).listByUser(userId)).map(({ id }) => id)).toEqual([pair.session_id]);
  });

  test('with any one character altered, or another kind of token, is rejected without a table call', async () => {
    const { refresh_token, access_token } = await createCredentials(system, key, user);
    const calls = await recordTableCalls(async () => {
      for (let at = 0; at < refresh_token.length; at += 3)
        expect(outcomeOf(await refresh(system, alterToken(refresh_token, at)))).toBe('401 invalid_token');
      for (const token of [access_token, access_token.replace('sdk_at_', 'sdk_rt_'), refresh_token.slice(0, -1)])
        expect(outcomeOf(await refresh(system, token))).toBe('401 invalid_token');
    });
    expect(calls).toEqual([]);
    expect(outcomeOf(await refresh(system, refresh_token))).toBe('200 ok');
  });
});

describe('ending a session', () => {
  test('by the backend ends every credential, and its installation can start over', async () => {
    const body = installation();
    const { session_id, client_token } = await openSession(system, key, user, body);
    const pair = (await exchange(system, client_token)).body;
    const waiting = await openSession(system, key, user, body);
    expect((await revoke(session_id)).status).toBe(204);
    expect(await tryAccessToken(pair.access_token)).toBe('401 invalid_token');
    expect(outcomeOf(await refresh(system, pair.refresh_token))).toBe('401 invalid_token');
    expect(outcomeOf(await exchange(system, waiting.client_token))).toBe('401 invalid_token');
    expect(outcomeOf(await revoke(session_id))).toBe('404 not_found');
    const result = await requestSession(system, key, user, body);
    expect([result.status, result.body.session_id === session_id]).toEqual([201, false]);
  });

  test('finds only sessions of the user in the path', async () => {
    const otherUser = await system.user(key);
    const { session_id } = await openSession(system, key, user);
    const missing = randomUUID();
    const foreign = await revoke(session_id, otherUser);
    const unknown = await revoke(missing, otherUser);
    expect([outcomeOf(foreign), outcomeOf(unknown)]).toEqual(['404 not_found', '404 not_found']);
    expect(foreign.text.replace(session_id, missing)).toBe(unknown.text);
    for (const malformed of ['current', 'x', '%20', session_id.slice(1)])
      expect(outcomeOf(await revoke(malformed))).toBe('404 not_found');
    expect((await revoke(session_id.toUpperCase())).status).toBe(204);
  });

  test('by the phone ends every credential', async () => {
    const pair = await createCredentials(system, key, user);
    expect((await signOut(pair.access_token)).status).toBe(204);
    expect(outcomeOf(await signOut(pair.access_token))).toBe('401 invalid_token');
    expect(outcomeOf(await refresh(system, pair.refresh_token))).toBe('401 invalid_token');
  });
});

describe('an access token', () => {
  test('is valid for 24 hours, and then returns token_expired', async () => {
    const own = await timeTravelSystem();
    const { live_key } = await own.account();
    const { access_token, refresh_token } = await createCredentials(own, live_key, await own.user(live_key));
    own.clock.advance(day - 5000);
    expect(outcomeOf(await upload(own, access_token, makeUpload()))).toBe('202 ok');
    own.clock.advance(6000);
    expect(outcomeOf(await upload(own, access_token, makeUpload()))).toBe('401 token_expired');
    const next = (await refresh(own, refresh_token)).body;
    expect(outcomeOf(await upload(own, next.access_token, makeUpload()))).toBe('202 ok');
  });

  test('with any one character altered is rejected without a table call', async () => {
    const { access_token } = await createCredentials(system, key, user);
    const calls = await recordTableCalls(async () => {
      for (let at = 0; at < access_token.length; at += 3)
        expect(await tryAccessToken(alterToken(access_token, at))).toBe('401 invalid_token');
    });
    expect(calls).toEqual([]);
  });

  test('of another deployment is rejected', async () => {
    const other = await timeTravelSystem();
    const theirs = await other.account();
    const { access_token } = await createCredentials(other, theirs.live_key, await other.user(theirs.live_key));
    expect(await tryAccessToken(access_token)).toBe('401 invalid_token');
  });

  test('is admitted with one table call', async () => {
    const { access_token } = await createCredentials(system, key, user);
    await tryAccessToken(access_token);
    expect(await recordTableCalls(() => tryAccessToken(access_token))).toEqual(['UpdateItem', 'GetItem']);
    system.clock.advance(minute);
    expect(await recordTableCalls(() => tryAccessToken(access_token))).toEqual(['UpdateItem', 'GetItem']);
  });

  test('outlives the API key that opened its session', async () => {
    const other = await system.account();
    const { createKey } = await import('../../shared/accounts/accounts.ts');
    const { access_token } = await createCredentials(system, other.live_key, await system.user(other.live_key));
    await createKey(system.host.deps, other.account_id, 'live');
    expect(await tryAccessToken(access_token)).toBe('202 ok');
  });
});

test('deleting a user ends all its sessions immediately, and leaves nothing of them', async () => {
  const userId = await system.user(key);
  const pair = await createCredentials(system, key, userId);
  const limited = await createScopedCredentials(system, key, userId, ['sleep']);
  const waiting = await openSession(system, key, userId);
  await system.call('DELETE', `/v1/users/${userId}`, { token: key });
  const record = { samples: [{ metric: 'heart_rate', start: '2026-03-14T06:58:00Z', value: 62, unit: 'bpm' }] };
  expect(outcomeOf(await upload(system, pair.access_token, makeUpload(record)))).toBe('401 invalid_token');
  for (const { access_token, refresh_token } of [pair, limited]) {
    expect(await tryAccessToken(access_token)).toBe('401 invalid_token');
    expect(outcomeOf(await signOut(access_token))).toBe('401 invalid_token');
    expect(outcomeOf(await refresh(system, refresh_token))).toBe('401 invalid_token');
  }
  expect(outcomeOf(await exchange(system, waiting.client_token))).toBe('401 invalid_token');
  await system.settle();
  for (const { refresh_token } of [pair, limited])
    expect(outcomeOf(await refresh(system, refresh_token))).toBe('401 invalid_token');
  const left = await system.host.table.query({ where: '#pk = :pk', values: { pk: userPartition(userId) } });
  expect(left.items).toEqual([]);
});

test('no credential is stored in the table, neither in plain text nor hashed', async () => {
  const userId = await system.user(key);
  const { client_token } = await openSession(system, key, userId);
  const pair = (await exchange(system, client_token)).body;
  const { items } = await system.host.table.query({ where: '#pk = :pk', values: { pk: userPartition(userId) } });
  const text = JSON.stringify(items);
  expect(items.length).toBeGreaterThan(3);
  for (const token of [client_token, pair.access_token, pair.refresh_token])
    for (const part of token.replace(/^[a-z_]+_/, '').split('.')) expect(text).not.toContain(part);
});
