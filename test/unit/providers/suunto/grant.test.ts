import { expect, test } from 'vitest';
import { type GrantContext, GrantRefused } from '../../../../shared/providers/kit/grant.ts';
import { UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { suuntoGrant } from '../../../../shared/providers/suunto/grant.ts';
import { makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const credentials = { clientId: 'client-7', clientSecret: 'hush', more: { subscription_key: 'key-1' } };
const nowMs = Date.parse('2026-05-10T00:00:00Z');
const context: GrantContext = {
  credentials,
  account: 'runner42',
  nowMs,
  grant: { accessToken: 'old', refreshToken: 'r1', expiresMs: nowMs, scopes: null },
};
const codeExchange = {
  credentials,
  redirectUri: 'https://d.example/cb',
  code: 'c0de',
  verifier: undefined,
  externalId: 'u',
  nowMs,
  query: {},
};
/** {"alg":"none"} and {"user":"runner42","sub":"x"}. */
const jwt = 'eyJhbGciOiJub25lIn0.eyJ1c2VyIjoicnVubmVyNDIiLCJzdWIiOiJ4In0.sig';

test('a code is exchanged with a Basic header and no subscription key, and the account is the one in the token', () => {
  const reply = { access_token: jwt, refresh_token: 'r1', expires_in: 86_400, token_type: 'bearer', user: 'Other' };
  const { result, requests } = runRequestFlow(suuntoGrant.exchange(codeExchange), () => makeResponse(reply));
  expect(result).toMatchObject({ account: 'runner42', refreshToken: 'r1', expiresMs: nowMs + 86_400_000 });
  expect(requests).toEqual([
    {
      method: 'POST',
      url: 'https://cloudapi-oauth.suunto.com/oauth/token',
      // client-7:hush
      headers: { accept: 'application/json', authorization: 'Basic Y2xpZW50LTc6aHVzaA==' },
      form: { grant_type: 'authorization_code', code: 'c0de', redirect_uri: 'https://d.example/cb' },
    },
  ]);
});

test('a token that does not name the account takes it from the reply, and the grant is refused if neither names it', () => {
  const bare = { access_token: 'opaque', refresh_token: 'r1', expires_in: 86_400 };
  expect(
    runRequestFlow(suuntoGrant.exchange(codeExchange), () => makeResponse({ ...bare, user: 'runner42' })).result
      .account,
  ).toBe('runner42');
  expect(() => runRequestFlow(suuntoGrant.exchange(codeExchange), () => makeResponse(bare))).toThrow(GrantRefused);
});

test('a data call carries the token and the subscription key', () => {
  const shown = suuntoGrant.authorizeRequest?.(
    { method: 'GET', url: 'https://cloudapi.suunto.com/v3/workouts/' },
    context,
  );
  expect(shown?.headers).toEqual({ authorization: 'Bearer old', 'ocp-apim-subscription-key': 'key-1' });
});

test('a refresh keeps the refresh token when none is returned, and stores a new one', () => {
  const judged = (body: object) => suuntoGrant.refresh?.interpret(makeResponse(body), context);
  expect(judged({ access_token: 'a2', expires_in: 60 })).toMatchObject({ accessToken: 'a2', refreshToken: 'r1' });
  expect(judged({ access_token: 'a2', refresh_token: 'r2' })).toMatchObject({ refreshToken: 'r2', expiresMs: null });
});

test.each([
  [400, { error: 'invalid_grant' }, 'dead'],
  [401, { error: 'invalid_client' }, 'ours'],
  [401, { message: 'Access denied due to invalid subscription key' }, 'unclear'],
  [500, { error: 'server_error' }, 'unclear'],
  [200, {}, 'unclear'],
])('a refresh answered with %s %j is %s', (status, body, verdict) => {
  expect(suuntoGrant.refresh?.interpret(makeResponse(body, status), context)).toBe(verdict);
});

test.each([200, 204, 401, 404])('consent is revoked with one call, and %s means that it is gone', (status) => {
  const { requests } = runRequestFlow(suuntoGrant.revoke(context), () => makeResponse('', status));
  expect(requests).toEqual([
    {
      method: 'GET',
      url: 'https://cloudapi-oauth.suunto.com/oauth/deauthorize',
      query: { client_id: 'client-7' },
      headers: { authorization: 'Bearer old' },
    },
  ]);
});

test('any other response to a revocation fails, to be retried', () => {
  expect(() => runRequestFlow(suuntoGrant.revoke(context), () => makeResponse('', 418))).toThrow(UnexpectedResponse);
});
