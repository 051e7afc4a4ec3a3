import { expect, test } from 'vitest';
import { garminGrant } from '../../../../shared/providers/garmin/grant.ts';
import type { GrantContext } from '../../../../shared/providers/kit/grant.ts';
import { makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const credentials = { clientId: 'client-7', clientSecret: 'hush', more: {} };
const nowMs = Date.parse('2026-03-10T00:00:00Z');
const context: GrantContext = {
  credentials,
  account: 'ada',
  nowMs,
  grant: { accessToken: 'old', refreshToken: 'r1', expiresMs: nowMs, scopes: null },
};
const reply = {
  access_token: 'a1',
  token_type: 'bearer',
  expires_in: 86_400,
  refresh_token: 'r2',
  refresh_token_expires_in: 7_775_998,
  scope: 'PARTNER_READ CONNECT_READ',
  jti: 'x',
};

test('the link carries a PKCE challenge and no scope', () => {
  const url = new URL(
    garminGrant.buildAuthorizeUrl({ credentials, redirectUri: 'https://d.example/cb', state: 'st', challenge: 'ch' }),
  );
  expect(`${url.origin}${url.pathname}`).toBe('https://connect.garmin.com/oauth2Confirm');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'client-7',
    redirect_uri: 'https://d.example/cb',
    state: 'st',
    code_challenge: 'ch',
    code_challenge_method: 'S256',
  });
});

test("a code becomes a grant of the account that Garmin names, and the scope in the reply is not stored as the user's consent", () => {
  const codeExchange = {
    credentials,
    redirectUri: 'https://d.example/cb',
    code: 'c0de',
    verifier: 'v',
    externalId: 'u',
    nowMs,
    query: {},
  };
  const { result, requests } = runRequestFlow(garminGrant.exchange(codeExchange), ({ method }) =>
    makeResponse(method === 'POST' ? reply : { userId: 'ada' }),
  );
  expect(result).toEqual({
    account: 'ada',
    accessToken: 'a1',
    refreshToken: 'r2',
    // One day minus ten minutes.
    expiresMs: nowMs + 85_800_000,
    scopes: null,
  });
  expect(requests[0]).toMatchObject({
    url: 'https://diauth.garmin.com/di-oauth2-service/oauth/token',
    form: {
      grant_type: 'authorization_code',
      client_id: 'client-7',
      client_secret: 'hush',
      code: 'c0de',
      code_verifier: 'v',
      redirect_uri: 'https://d.example/cb',
    },
  });
  expect(requests[1]).toMatchObject({
    url: 'https://apis.garmin.com/partner-gateway/rest/user/id',
    headers: { authorization: 'Bearer a1' },
  });
});

test('a refresh stores the new refresh token', () => {
  expect(garminGrant.refresh?.interpret(makeResponse(reply), context)).toEqual({
    accessToken: 'a1',
    refreshToken: 'r2',
    expiresMs: nowMs + 85_800_000,
    scopes: null,
  });
});

test.each([
  [400, { error: 'invalid_grant' }, 'dead'],
  [401, { error: 'invalid_client' }, 'ours'],
  [400, { error: 'invalid_request' }, 'unclear'],
  [200, '<html>', 'unclear'],
  [502, '', 'unclear'],
])('a refresh answered with %s %j is %s', (status, body, verdict) => {
  expect(garminGrant.refresh?.interpret(makeResponse(body, status), context)).toBe(verdict);
});

test.each([204, 401, 403, 404])('disconnecting deletes the registration, and %s means that it is gone', (status) => {
  const { requests } = runRequestFlow(garminGrant.revoke(context), () => makeResponse('', status));
  expect(requests).toEqual([
    {
      method: 'DELETE',
      url: 'https://apis.garmin.com/partner-gateway/rest/user/registration',
      headers: { authorization: 'Bearer old' },
    },
  ]);
});
