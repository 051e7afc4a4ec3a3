import { describe, expect, test } from 'vitest';
import { googleHealthGrant } from '../../../../shared/providers/google-health/grant.ts';
import type { ProviderResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { makeResponse, runRequestFlow, testCredentials } from '../../../harness/request-flow.ts';

const nowMs = Date.UTC(2026, 2, 7, 12);
const health = (area: string) => `https://www.googleapis.com/auth/googlehealth.${area}.readonly`;
const grant = { accessToken: 'old', refreshToken: 'r1', expiresMs: nowMs, scopes: [health('sleep')] };
const context = { credentials: testCredentials, grant, account: 'h-1', nowMs };

describe('authorization', () => {
  test('requests offline consent, and prompts for it each time', () => {
    const url = new URL(
      googleHealthGrant.buildAuthorizeUrl({
        credentials: testCredentials,
        redirectUri: 'https://daybook.example/connect/callback/google_health',
        state: 's1',
        challenge: 'c',
      }),
    );
    expect(url.origin + url.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      access_type: 'offline',
      prompt: 'consent',
      include_granted_scopes: 'true',
      state: 's1',
    });
    expect(url.searchParams.get('scope')?.split(' ')).toEqual(
      ['openid', 'email'].concat(
        ['activity_and_fitness', 'health_metrics_and_measurements', 'nutrition', 'sleep', 'settings'].map(health),
      ),
    );
  });

  const exchange = (scope: string, identity: ProviderResponse) =>
    runRequestFlow(
      googleHealthGrant.exchange({
        credentials: testCredentials,
        redirectUri: 'https://daybook.example/connect/callback/google_health',
        code: 'c1',
        verifier: 'v',
        externalId: 'usr_1',
        nowMs,
        query: {},
      }),
      (_request, at) =>
        at === 0
          ? makeResponse({
              access_token: 'a1',
              expires_in: 3599,
              refresh_token: 'r1',
              scope,
              token_type: 'Bearer',
              id_token: 'x',
            })
          : identity,
    );

  test('takes the account from the identity and stores the granted scopes', () => {
    const { result, requests } = exchange(`openid email ${health('sleep')}`, makeResponse({ healthUserId: 'h-1' }));
    expect(requests[1]).toEqual({
      method: 'GET',
      url: 'https://health.googleapis.com/v4/users/me/identity',
      headers: { authorization: 'Bearer a1' },
    });
    expect(result).toEqual({
      account: 'h-1',
      accessToken: 'a1',
      refreshToken: 'r1',
      expiresMs: nowMs + 3_599_000,
      scopes: ['openid', 'email', health('sleep')],
    });
  });

  test('without a readable scope is refused', () => {
    expect(() => exchange(`openid email ${health('settings')}`, makeResponse({ healthUserId: 'h-1' }))).toThrow(
      expect.objectContaining({ reason: 'scopes_missing' }),
    );
  });

  const apiError = (code: number, status: string, reason: string) =>
    makeResponse({ error: { code, status, message: status, details: [{ '@type': 'ErrorInfo', reason }] } }, code);
  test.each([
    ['no health profile', apiError(400, 'FAILED_PRECONDITION', 'ACCOUNT_NOT_LINKED'), { reason: 'code_refused' }],
    ['no scope', apiError(403, 'PERMISSION_DENIED', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'), { reason: 'scopes_missing' }],
    ['a disabled API', apiError(403, 'PERMISSION_DENIED', 'SERVICE_DISABLED'), { status: 403 }],
    ['an identity without an account', makeResponse({}), { reason: 'code_refused' }],
  ])('fails with %s', (_name, identity, thrown) => {
    expect(() => exchange(health('sleep'), identity)).toThrow(expect.objectContaining(thrown));
  });
});

describe('a refresh', () => {
  const judge = (body: unknown, status: number) =>
    googleHealthGrant.refresh?.interpret(makeResponse(body, status), context);

  test('returns no new refresh token, and the old one stays', () => {
    expect(judge({ access_token: 'a2', expires_in: 3599, token_type: 'Bearer' }, 200)).toEqual({
      accessToken: 'a2',
      refreshToken: 'r1',
      expiresMs: nowMs + 3_599_000,
      scopes: [health('sleep')],
    });
  });

  test.each([
    [{ error: 'invalid_grant', error_description: 'Token has been expired or revoked.' }, 400, 'dead'],
    [{ error: 'invalid_grant', error_description: 'Bad Request' }, 400, 'dead'],
    [{ error: 'invalid_client' }, 401, 'ours'],
    [{ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } }, 429, 'unclear'],
    [{ error: 'internal_failure' }, 500, 'unclear'],
    ['', 503, 'unclear'],
  ])('%j with %i is %s', (body, status, verdict) => {
    expect(judge(body, status)).toBe(verdict);
  });
});

test('consent is revoked with the refresh token, and a token that is already invalid is not an error', () => {
  const { requests } = runRequestFlow(googleHealthGrant.revoke(context), () =>
    makeResponse({ error: 'invalid_token' }, 400),
  );
  expect(requests).toMatchObject([
    { method: 'POST', url: 'https://oauth2.googleapis.com/revoke', form: { token: 'r1' } },
  ]);
  expect(() => runRequestFlow(googleHealthGrant.revoke(context), () => makeResponse('', 500))).toThrow(
    'the provider answered 500',
  );
});
