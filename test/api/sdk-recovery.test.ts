// Session recovery for a phone that was lost or reset: the old phone is locked out immediately and
// cannot affect the new one.
import { beforeAll, describe, expect, test } from 'vitest';
import type { SdkCredentials } from '../../shared/mobile/sdk-session.ts';
import { exchange, installation, makeUpload, openSession, refresh, upload } from '../harness/sdk.ts';
import type { ApiResponse } from '../harness/send-request.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let key: string;
let user: string;
beforeAll(async () => {
  system = await sharedSystem();
  key = (await system.account()).live_key;
  user = await system.user(key);
});

const outcomeOf = ({ status, body }: ApiResponse): string => `${status} ${body?.error ?? 'ok'}`;
const tryAccessToken = async ({ access_token }: SdkCredentials) =>
  outcomeOf(await upload(system, access_token, makeUpload()));
const tryRefreshToken = async ({ refresh_token }: SdkCredentials) => outcomeOf(await refresh(system, refresh_token));

/**
 * Returns the credentials of a phone that refreshed once, and the client token for its replacement.
 */
async function recoverSession(): Promise<{ first: SdkCredentials; old: SdkCredentials; token: string }> {
  const body = installation();
  const first = (await exchange(system, (await openSession(system, key, user, body)).client_token)).body;
  const old = (await refresh(system, first.refresh_token)).body;
  expect([await tryAccessToken(first), await tryAccessToken(old)]).toEqual(['202 ok', '202 ok']);
  return { first, old, token: (await openSession(system, key, user, body)).client_token };
}

describe('after a recovery', () => {
  test('the old phone is rejected, before and after the new one connects', async () => {
    const { first, old, token } = await recoverSession();
    const dead = ['401 invalid_token', '401 invalid_token'];
    expect([await tryAccessToken(first), await tryAccessToken(old)]).toEqual(dead);
    expect([await tryRefreshToken(old), await tryRefreshToken(first)]).toEqual(dead);
    const fresh = (await exchange(system, token)).body;
    expect(fresh.session_id).toBe(old.session_id);
    expect([await tryAccessToken(first), await tryAccessToken(old)]).toEqual(dead);
    expect(await tryAccessToken(fresh)).toBe('202 ok');
  });

  test('a late refresh by the old phone does not end the new session', async () => {
    const { first, old, token } = await recoverSession();
    const fresh = (await exchange(system, token)).body;
    for (const late of [old, first, old, old]) expect(await tryRefreshToken(late)).toBe('401 invalid_token');
    expect(await tryAccessToken(fresh)).toBe('202 ok');
    const next = (await refresh(system, fresh.refresh_token)).body;
    expect(await tryRefreshToken(old)).toBe('401 invalid_token');
    expect(await tryAccessToken(next)).toBe('202 ok');
    expect(await tryRefreshToken(next)).toBe('200 ok');
  });

  test('a refresh by the old phone before the new one connects does not consume the new token', async () => {
    const { old, token } = await recoverSession();
    expect(await tryRefreshToken(old)).toBe('401 invalid_token');
    const fresh = await exchange(system, token);
    expect(outcomeOf(fresh)).toBe('200 ok');
    expect(await tryAccessToken(fresh.body)).toBe('202 ok');
  });

  test('reuse of the new phone’s own old tokens still ends its session, because they may be stolen', async () => {
    const { token } = await recoverSession();
    const fresh = (await exchange(system, token)).body;
    const second = (await refresh(system, fresh.refresh_token)).body;
    const third = (await refresh(system, second.refresh_token)).body;
    expect(await tryRefreshToken(fresh)).toBe('401 invalid_token');
    expect(await tryAccessToken(third)).toBe('401 invalid_token');
  });

  test('with a mobile token the old phone is locked out immediately too', async () => {
    const body = installation();
    const mobile = async () =>
      (await system.call('POST', '/v1/auth/mobile-token', { token: key, body: { user_id: user } })).body.token;
    const old = (await exchange(system, await mobile(), body)).body;
    const fresh = (await exchange(system, await mobile(), body)).body;
    expect(fresh.session_id).toBe(old.session_id);
    expect([await tryAccessToken(old), await tryRefreshToken(old)]).toEqual(['401 invalid_token', '401 invalid_token']);
    expect([await tryAccessToken(fresh), await tryRefreshToken(fresh)]).toEqual(['202 ok', '200 ok']);
  });
});
