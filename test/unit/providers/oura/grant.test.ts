import { describe, expect, test } from 'vitest';
import { UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { oura } from '../../../../shared/providers/oura/descriptor.ts';
import { ouraGrant } from '../../../../shared/providers/oura/grant.ts';
import { ouraSetup } from '../../../../shared/providers/oura/setup.ts';
import { makeGrantContext, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

/** The scopes that Oura's documentation lists, in its older and newer versions. */
const documented = [
  ...['email', 'personal', 'daily', 'heartrate', 'workout', 'tag', 'session', 'spo2', 'spo2Daily'],
  ...['stress', 'heart_health', 'ring_configuration'],
];

describe('the scopes', () => {
  test('that are requested exist, and the setup page names the same ones', () => {
    expect(oura.scopes.filter((scope) => !documented.includes(scope))).toEqual([]);
    const [, listed = ''] = /the scopes (.+?)\. /.exec(ouraSetup.steps.join(' ')) ?? [];
    expect(listed.split(/, | and /)).toEqual(oura.scopes);
  });
});

const judge = (body: unknown, status: number) =>
  ouraGrant.refresh?.interpret(makeResponse(body, status), makeGrantContext());

describe('a refresh', () => {
  test('sends the token with our credentials in the form', () => {
    expect(ouraGrant.refresh?.buildRequest(makeGrantContext())).toMatchObject({
      method: 'POST',
      url: 'https://api.ouraring.com/oauth/token',
      form: {
        grant_type: 'refresh_token',
        refresh_token: 'refresh-1',
        client_id: 'client-1',
        client_secret: 'secret-1',
      },
    });
  });

  test('returns new tokens that are valid for as long as Oura states', () => {
    expect(
      judge({ token_type: 'bearer', access_token: 'access-2', expires_in: 2592000, refresh_token: 'refresh-2' }, 200),
    ).toEqual({
      accessToken: 'access-2',
      refreshToken: 'refresh-2',
      expiresMs: Date.parse('2026-04-09T12:00:00Z'),
      scopes: null,
    });
  });

  test.each([
    ['dead', 400, { status: 400, title: 'Bad Request', error: 'invalid_request', error_description: '…' }],
    ['dead', 400, { error: 'invalid_grant' }],
    ['ours', 401, { error: 'invalid_client' }],
    ['unclear', 422, { error: 'invalid_request' }],
    ['unclear', 500, { error: 'server_error' }],
    ['unclear', 502, '<html>'],
    ['unclear', 200, {}],
    ['unclear', 400, { status: 400, title: 'Bad Request', detail: 'no' }],
  ])('is %s after %i %j', (verdict, status, body) => {
    expect(judge(body, status)).toBe(verdict);
  });
});

describe('revocation', () => {
  const revoke = (statuses: readonly number[]) =>
    runRequestFlow(ouraGrant.revoke(makeGrantContext()), (_request, at) => makeResponse({}, statuses[at] ?? 500))
      .requests;

  test('uses POST', () => {
    expect(revoke([200])).toEqual([
      { method: 'POST', url: 'https://api.ouraring.com/oauth/revoke', query: { access_token: 'access-1' } },
    ]);
  });

  test('uses GET when POST is not allowed, and is already done when the token is refused', () => {
    expect(revoke([405, 200]).map(({ method }) => method)).toEqual(['POST', 'GET']);
    expect(revoke([401])).toHaveLength(1);
  });

  test('fails on an unknown response, to be retried later', () => {
    expect(() => revoke([405, 405])).toThrow(UnexpectedResponse);
  });
});

test('the account is requested with the new token', () => {
  const { result, requests } = runRequestFlow(
    ouraGrant.exchange({
      credentials: makeGrantContext().credentials,
      redirectUri: 'https://daybook.example/connect/callback/oura',
      code: 'code-1',
      verifier: 'verifier-1',
      externalId: 'usr_1',
      nowMs: Date.parse('2026-03-10T12:00:00Z'),
      query: {},
    }),
    (_request, at) =>
      at === 0
        ? makeResponse({
            token_type: 'bearer',
            access_token: 'access-1',
            expires_in: 86400,
            refresh_token: 'refresh-1',
          })
        : makeResponse({ id: 'oura-user-1', age: 40, email: 'ada@example.com' }),
  );
  expect(requests[1]).toMatchObject({
    url: 'https://api.ouraring.com/v2/usercollection/personal_info',
    headers: { authorization: 'Bearer access-1' },
  });
  expect(result).toEqual({
    account: 'oura-user-1',
    accessToken: 'access-1',
    refreshToken: 'refresh-1',
    expiresMs: Date.parse('2026-03-11T12:00:00Z'),
    scopes: null,
  });
});
