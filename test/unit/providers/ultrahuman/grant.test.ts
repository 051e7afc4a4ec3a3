import { describe, expect, test } from 'vitest';
import { GrantRefused } from '../../../../shared/providers/kit/grant.ts';
import { type ProviderResponse, UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { ultrahumanGrant } from '../../../../shared/providers/ultrahuman/grant.ts';
import { makeGrantContext, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const nowMs = Date.parse('2026-03-10T12:00:00Z');
const tokens = {
  access_token: 'access-1',
  token_type: 'Bearer',
  expires_in: 604800,
  refresh_token: 'refresh-1',
  scope: 'ring_data profile',
  created_at: 1773144000,
};

const exchanged = (answer: ProviderResponse, first: ProviderResponse = makeResponse(tokens)) =>
  runRequestFlow(
    ultrahumanGrant.exchange({
      credentials: makeGrantContext().credentials,
      redirectUri: 'https://daybook.example/connect/callback/ultrahuman',
      code: 'code-1',
      verifier: 'verifier-1',
      externalId: 'usr_1',
      nowMs,
      query: {},
    }),
    (_request, at) => (at === 0 ? first : answer),
  );

describe('the account', () => {
  test.each([
    [{ user_id: 77, email: 'ada@example.com' }, '77'],
    [{ id: 'abc' }, 'abc'],
    [{ user: { id: 5 } }, '5'],
    [{ data: { user_id: 'u-1', id: 'other' } }, 'u-1'],
    [{ email: 'ada@example.com' }, 'ada@example.com'],
    [{ first_name: 'Ada' }, 'usr_1'],
  ])('of %j is %s', (body, account) => {
    expect(exchanged(makeResponse(body)).result.account).toBe(account);
  });

  test('is our external id when the profile may not be read', () => {
    expect(exchanged(makeResponse({}, 403)).result).toMatchObject({
      account: 'usr_1',
      scopes: ['ring_data', 'profile'],
    });
  });

  test('is requested with the new token, and an unknown response fails', () => {
    expect(exchanged(makeResponse({ id: 1 })).requests[1]).toEqual({
      method: 'GET',
      url: 'https://partner.ultrahuman.com/api/partners/v1/user_data/user_info',
      headers: { authorization: 'Bearer access-1' },
    });
    expect(() => exchanged(makeResponse({}, 418))).toThrow(UnexpectedResponse);
    expect(() => exchanged(makeResponse({}), makeResponse({ error: 'invalid_grant' }, 401))).toThrow(GrantRefused);
  });
});

test.each([
  [604800, '2026-03-11T08:00:00Z'],
  [3600, '2026-03-10T13:00:00Z'],
  [undefined, '2026-03-11T08:00:00Z'],
])('a token with a lifetime of %s seconds is refreshed by %s', (expires_in, until) => {
  expect(exchanged(makeResponse({ id: 1 }), makeResponse({ ...tokens, expires_in })).result.expiresMs).toBe(
    Date.parse(until),
  );
});

describe('a refresh', () => {
  const judge = (body: unknown, status: number) =>
    ultrahumanGrant.refresh?.interpret(makeResponse(body, status), makeGrantContext());

  test('returns a new refresh token', () => {
    expect(judge({ ...tokens, refresh_token: 'refresh-2' }, 200)).toEqual({
      accessToken: 'access-1',
      refreshToken: 'refresh-2',
      expiresMs: Date.parse('2026-03-11T08:00:00Z'),
      scopes: ['ring_data', 'profile'],
    });
  });

  test.each([
    ['dead', 400, { error: 'invalid_grant' }],
    ['dead', 401, { error: 'invalid_grant' }],
    ['ours', 401, { error: 'invalid_client' }],
    ['unclear', 401, { error: 'unauthorized' }],
    ['unclear', 503, ''],
  ])('is %s after %i %j', (verdict, status, body) => {
    expect(judge(body, status)).toBe(verdict);
  });
});

test('consent is revoked with our credentials in the form', () => {
  expect(runRequestFlow(ultrahumanGrant.revoke(makeGrantContext()), () => makeResponse({})).requests).toEqual([
    {
      method: 'POST',
      url: 'https://partner.ultrahuman.com/api/partners/oauth/revoke',
      form: { token: 'refresh-1', client_id: 'client-1', client_secret: 'secret-1' },
    },
  ]);
});
