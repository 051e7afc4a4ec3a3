import { describe, expect, test } from 'vitest';
import { type CodeExchange, type GrantContext, GrantRefused } from '../../../../shared/providers/kit/grant.ts';
import { UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { stravaGrant } from '../../../../shared/providers/strava/grant.ts';
import { testCredentials as credentials, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const nowMs = Date.parse('2026-10-18T12:00:00Z');
const exchange: CodeExchange = {
  credentials,
  redirectUri: 'https://daybook.test/connect/callback/strava',
  code: 'code-1',
  verifier: undefined,
  externalId: 'usr_1',
  nowMs,
  query: { scope: 'read,activity:read_all' },
};
const tokens = {
  token_type: 'Bearer',
  access_token: 'access-1',
  refresh_token: 'refresh-1',
  expires_at: 1_792_346_400,
  expires_in: 21_600,
};
const context: GrantContext = {
  credentials,
  grant: { accessToken: 'access-1', refreshToken: 'refresh-1', expiresMs: null, scopes: ['activity:read'] },
  account: '264621',
  nowMs,
};
const faulty = (resource: string, field: string, status = 400) =>
  makeResponse({ message: 'Bad Request', errors: [{ resource, field, code: 'invalid' }] }, status);

test('the authorization URL joins scopes with commas', () => {
  const url = new URL(
    stravaGrant.buildAuthorizeUrl({
      credentials,
      redirectUri: exchange.redirectUri,
      state: 'st',
      challenge: undefined,
    }),
  );
  expect(url.origin + url.pathname).toBe('https://www.strava.com/oauth/authorize');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'client-1',
    redirect_uri: 'https://daybook.test/connect/callback/strava',
    response_type: 'code',
    approval_prompt: 'auto',
    scope: 'activity:read_all,profile:read_all',
    state: 'st',
  });
});

describe('a code', () => {
  test('becomes a grant of the athlete in the reply, with the scopes that the callback named', () => {
    const { requests: sentRequests, result } = runRequestFlow(stravaGrant.exchange(exchange), [
      makeResponse({ ...tokens, athlete: { id: 264_621 } }),
    ]);
    expect(sentRequests).toMatchObject([
      {
        method: 'POST',
        url: 'https://www.strava.com/oauth/token',
        form: { client_id: 'client-1', client_secret: 'secret-1', code: 'code-1', grant_type: 'authorization_code' },
      },
    ]);
    expect(result).toEqual({
      account: '264621',
      accessToken: 'access-1',
      refreshToken: 'refresh-1',
      expiresMs: nowMs + 21_600_000,
      scopes: ['read', 'activity:read_all'],
    });
  });

  test('whose reply names no athlete is completed with a request for the athlete, to the last digit', () => {
    const { requests: sentRequests, result } = runRequestFlow(stravaGrant.exchange({ ...exchange, query: {} }), [
      makeResponse({ ...tokens, expires_in: undefined }),
      makeResponse('{"id":9007199254740993,"resource_state":2}'),
    ]);
    expect(sentRequests[1]).toEqual({
      method: 'GET',
      url: 'https://www.strava.com/api/v3/athlete',
      headers: { authorization: 'Bearer access-1' },
    });
    expect(result).toMatchObject({ account: '9007199254740993', scopes: null, expiresMs: 1_792_346_400_000 });
  });

  test('without the permission to read activities is never exchanged', () => {
    const flow = stravaGrant.exchange({ ...exchange, query: { scope: 'read,profile:read_all' } });
    expect(() => runRequestFlow(flow, [])).toThrow(expect.objectContaining({ reason: 'scopes_missing' }));
  });

  test('with public activities only is accepted', () => {
    const flow = stravaGrant.exchange({ ...exchange, query: { scope: 'read,activity:read' } });
    expect(runRequestFlow(flow, [makeResponse({ ...tokens, athlete: { id: 1 } })]).result.scopes).toEqual([
      'read',
      'activity:read',
    ]);
  });

  test.each([
    [faulty('RequestToken', 'code'), GrantRefused, { reason: 'code_refused' }],
    [faulty('Application', 'client_id'), GrantRefused, { reason: 'not_configured' }],
    [faulty('Application', 'client_secret', 401), GrantRefused, { reason: 'not_configured' }],
    [makeResponse('away', 503), UnexpectedResponse, { status: 503 }],
    [makeResponse({}), UnexpectedResponse, { status: 200 }],
  ])('that fails names the reason', (answer, kind, what) => {
    const failing = () => runRequestFlow(stravaGrant.exchange(exchange), [answer]);
    expect(failing).toThrow(kind);
    expect(failing).toThrow(expect.objectContaining(what));
  });
});

describe('a refresh', () => {
  const judge = (answer: ReturnType<typeof makeResponse>) => stravaGrant.refresh?.interpret(answer, context);

  test('sends the refresh token in the form', () => {
    expect(stravaGrant.refresh?.buildRequest(context)).toMatchObject({
      method: 'POST',
      url: 'https://www.strava.com/oauth/token',
      form: { grant_type: 'refresh_token', refresh_token: 'refresh-1', client_id: 'client-1' },
    });
  });

  test('keeps the remaining lifetime of a token that is still valid, and the refresh token that came with it', () => {
    expect(judge(makeResponse({ ...tokens, refresh_token: 'refresh-2', expires_in: 14_282 }))).toEqual({
      accessToken: 'access-1',
      refreshToken: 'refresh-2',
      expiresMs: nowMs + 14_282_000,
      scopes: ['activity:read'],
    });
  });

  test.each([
    ['dead', faulty('RefreshToken', 'refresh_token')],
    ['dead', faulty('RefreshToken', 'code')],
    ['ours', faulty('Application', 'client_id')],
    ['ours', faulty('Application', 'client_secret', 401)],
    ['unclear', faulty('RefreshToken', 'refresh_token', 500)],
    ['unclear', makeResponse({ error: 'invalid_grant' }, 400)],
    ['unclear', makeResponse('Bad Request', 400)],
    ['unclear', makeResponse({ message: 'ok' })],
    ['unclear', makeResponse('<html>', 502)],
  ] as const)('is %s', (verdict, answer) => {
    expect(judge(answer)).toBe(verdict);
  });
});

test('consent is revoked with the refresh token, which also ends the access tokens', () => {
  const { requests: sentRequests } = runRequestFlow(stravaGrant.revoke(context), [makeResponse('')]);
  expect(sentRequests).toEqual([
    {
      method: 'POST',
      url: 'https://www.strava.com/oauth/revoke',
      headers: { authorization: `Basic ${Buffer.from('client-1:secret-1').toString('base64')}` },
      form: { token: 'refresh-1', token_type_hint: 'refresh_token' },
    },
  ]);
  expect(() => runRequestFlow(stravaGrant.revoke(context), [makeResponse('', 500)])).toThrow(UnexpectedResponse);
});
