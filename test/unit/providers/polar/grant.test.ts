import { describe, expect, test } from 'vitest';
import { type CodeExchange, GrantRefused } from '../../../../shared/providers/kit/grant.ts';
import { UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { polarGrant } from '../../../../shared/providers/polar/grant.ts';
import { testCredentials as credentials, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const nowMs = Date.parse('2026-03-12T12:00:00Z');
const exchange: CodeExchange = {
  credentials,
  redirectUri: 'https://daybook.test/connect/callback/polar',
  code: 'code-1',
  verifier: undefined,
  externalId: 'usr_1',
  nowMs,
  query: {},
};
const tokens = { access_token: 'access-1', token_type: 'bearer', expires_in: 31_535_999, x_user_id: 10_579 };
const basic = `Basic ${Buffer.from('client-1:secret-1').toString('base64')}`;
const registered = makeResponse({ 'polar-user-id': 10_579, 'member-id': 'usr_1-10579' });

test('the authorization URL requests the only scope there is', () => {
  const url = new URL(
    polarGrant.buildAuthorizeUrl({ credentials, redirectUri: exchange.redirectUri, state: 'st', challenge: undefined }),
  );
  expect(url.origin + url.pathname).toBe('https://flow.polar.com/oauth2/authorization');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'client-1',
    redirect_uri: 'https://daybook.test/connect/callback/polar',
    scope: 'accesslink.read_all',
    state: 'st',
  });
});

describe('a code', () => {
  test('becomes a grant without a refresh token, and the user is registered', () => {
    const { requests: sentRequests, result } = runRequestFlow(polarGrant.exchange(exchange), [
      makeResponse(tokens),
      registered,
    ]);
    expect(sentRequests).toMatchObject([
      {
        method: 'POST',
        url: 'https://polarremote.com/v2/oauth2/token',
        headers: { authorization: basic },
        form: { grant_type: 'authorization_code', code: 'code-1', redirect_uri: exchange.redirectUri },
      },
      {
        method: 'POST',
        url: 'https://www.polaraccesslink.com/v3/users',
        headers: { authorization: 'Bearer access-1' },
        json: { 'member-id': 'usr_1-10579' },
      },
    ]);
    expect(sentRequests[0]?.form).not.toHaveProperty('client_secret');
    expect(result).toEqual({
      accessToken: 'access-1',
      refreshToken: null,
      expiresMs: nowMs + 31_535_999_000,
      scopes: null,
      account: '10579',
    });
  });

  test.each([201, 409])('is also accepted when the registration is answered with %i', (status) => {
    expect(
      runRequestFlow(polarGrant.exchange(exchange), [makeResponse(tokens), makeResponse('', status)]).result.account,
    ).toBe('10579');
  });

  test('of a user who has not given the mandatory consents is refused with a reason', () => {
    const failing = () => runRequestFlow(polarGrant.exchange(exchange), [makeResponse(tokens), makeResponse('', 403)]);
    expect(failing).toThrow(GrantRefused);
    expect(failing).toThrow(expect.objectContaining({ reason: 'scopes_missing' }));
  });

  test.each([
    [[makeResponse({ error: 'invalid_grant' }, 400)], GrantRefused, { reason: 'code_refused' }],
    [[makeResponse({ error: 'invalid_client' }, 401)], GrantRefused, { reason: 'not_configured' }],
    [[makeResponse({ ...tokens, x_user_id: undefined })], GrantRefused, { reason: 'code_refused' }],
    [[makeResponse('', 500)], UnexpectedResponse, { status: 500 }],
    [[makeResponse(tokens), makeResponse('', 500)], UnexpectedResponse, { status: 500 }],
  ])('that fails names the reason', (answers, kind, what) => {
    const failing = () => runRequestFlow(polarGrant.exchange(exchange), answers);
    expect(failing).toThrow(kind);
    expect(failing).toThrow(expect.objectContaining(what));
  });
});

test('there is no refresh', () => {
  expect(polarGrant.refresh).toBeNull();
});

describe('revocation', () => {
  const context = {
    credentials,
    grant: { accessToken: 'access-1', refreshToken: null, expiresMs: null, scopes: null },
    account: '10579',
    nowMs,
  };

  test('deletes the registration', () => {
    const { requests: sentRequests } = runRequestFlow(polarGrant.revoke(context), [makeResponse('', 204)]);
    expect(sentRequests).toEqual([
      {
        method: 'DELETE',
        url: 'https://www.polaraccesslink.com/v3/users/10579',
        headers: { authorization: 'Bearer access-1' },
      },
    ]);
  });

  test('is done when consent had already ended, and retried when Polar is unavailable', () => {
    expect(runRequestFlow(polarGrant.revoke(context), [makeResponse('', 401)]).requests).toHaveLength(1);
    expect(() => runRequestFlow(polarGrant.revoke(context), [makeResponse('', 503)])).toThrow(UnexpectedResponse);
  });
});
