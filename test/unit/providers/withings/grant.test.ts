import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { withingsGrant } from '../../../../shared/providers/withings/grant.ts';
import { makeResponse, runRequestFlow, testCredentials } from '../../../harness/request-flow.ts';

const nowMs = Date.UTC(2026, 2, 7, 12);
const grant = { accessToken: 'old', refreshToken: 'r1', expiresMs: nowMs, scopes: ['user.activity'] };
const context = { credentials: testCredentials, grant, account: '12345', nowMs };
const codeExchange = {
  credentials: testCredentials,
  redirectUri: 'https://daybook.example/connect/callback/withings',
  code: 'c1',
  verifier: undefined,
  externalId: 'usr_1',
  nowMs,
  query: {},
};

describe('a code', () => {
  test('is exchanged by a form with an action, and the wrapped reply names the account', () => {
    const { result, requests } = runRequestFlow(withingsGrant.exchange(codeExchange), () =>
      makeResponse({
        status: 0,
        body: {
          userid: 12345,
          access_token: 'a1',
          refresh_token: 'r1',
          expires_in: 10800,
          scope: 'user.activity,user.metrics',
          csrf_token: 'x',
          token_type: 'Bearer',
        },
      }),
    );
    expect(requests).toEqual([
      expect.objectContaining({
        method: 'POST',
        url: 'https://wbsapi.withings.net/v2/oauth2',
        form: {
          action: 'requesttoken',
          grant_type: 'authorization_code',
          code: 'c1',
          redirect_uri: 'https://daybook.example/connect/callback/withings',
          client_id: 'client-1',
          client_secret: 'secret-1',
        },
      }),
    ]);
    expect(result).toEqual({
      account: '12345',
      accessToken: 'a1',
      refreshToken: 'r1',
      expiresMs: nowMs + 10_800_000,
      scopes: ['user.activity', 'user.metrics'],
    });
  });

  test.each([
    ['that expired is refused inside a 200', { status: 503, body: {}, error: 'Invalid code' }, 'code_refused'],
    [
      'of a refused client is a configuration error',
      { status: 503, body: {}, error: 'Invalid client_id' },
      'not_configured',
    ],
    ['whose reply has no account is refused', { status: 0, body: { access_token: 'a1' } }, 'code_refused'],
  ])('%s', (_name, body, reason) => {
    expect(() => runRequestFlow(withingsGrant.exchange(codeExchange), () => makeResponse(body))).toThrow(
      expect.objectContaining({ reason }),
    );
  });

  test.each([
    ['over the rate limit', makeResponse({ status: 601, body: {}, error: 'Too Many Requests' })],
    ['while the provider is unavailable', makeResponse('<html>bad gateway</html>', 502)],
  ])('%s is neither accepted nor refused', (_name, reply) => {
    expect(() => runRequestFlow(withingsGrant.exchange(codeExchange), () => reply)).toThrow(
      /Withings token: the provider answered/,
    );
  });
});

describe('a refresh', () => {
  const judge = (body: unknown, status = 200) => withingsGrant.refresh?.interpret(makeResponse(body, status), context);

  test('sends the refresh token, and the new one replaces it', () => {
    expect(withingsGrant.refresh?.buildRequest(context).form).toEqual({
      action: 'requesttoken',
      grant_type: 'refresh_token',
      refresh_token: 'r1',
      client_id: 'client-1',
      client_secret: 'secret-1',
    });
    const body = { userid: '12345', access_token: 'a2', refresh_token: 'r2', expires_in: 10800 };
    expect(judge({ status: 0, body })).toEqual({
      accessToken: 'a2',
      refreshToken: 'r2',
      expiresMs: nowMs + 10_800_000,
      scopes: ['user.activity'],
    });
  });

  test.each([
    ['with status 503 inside a 200 is a dead token', { status: 503, body: {}, error: 'Invalid Params' }, 200, 'dead'],
    [
      'with an error that names the token is a dead token',
      { status: 401, body: {}, error: 'invalid refresh_token' },
      200,
      'dead',
    ],
    [
      'with an error that names the client is a configuration error',
      { status: 503, body: {}, error: 'invalid client_secret' },
      200,
      'ours',
    ],
    ['with HTTP 503 is unclear', { status: 503 }, 503, 'unclear'],
    ['over the rate limit is unclear', { status: 601, body: {} }, 200, 'unclear'],
    ['with a timeout of the provider is unclear', { status: 522, body: {} }, 200, 'unclear'],
    ['with a bare 401 inside is unclear', { status: 401, body: {}, error: 'unauthorized' }, 200, 'unclear'],
    ['with success but no token is unclear', { status: 0, body: {} }, 200, 'unclear'],
    ['with an HTML page is unclear', '<html>', 200, 'unclear'],
  ])('%s', (_name, body, status, verdict) => {
    expect(judge(body, status)).toBe(verdict);
  });
});

test('the body of a response states that the token expired, the rate limit is exceeded, or the provider is unavailable', () => {
  const meaning = (status: number, http = 200) =>
    withingsGrant.classifyResponse?.(makeResponse({ status, body: {} }, http));
  expect([100, 101, 102, 200, 401].map((status) => meaning(status))).toEqual(Array(5).fill('expired'));
  expect([meaning(601), meaning(522), meaning(0), meaning(503), meaning(401, 500)]).toEqual([
    'too_many',
    'away',
    undefined,
    undefined,
    undefined,
  ]);
});

describe('revocation', () => {
  const signed = (text: string) => createHmac('sha256', 'secret-1').update(text).digest('hex');
  const revoke = (last: unknown) =>
    runRequestFlow(withingsGrant.revoke(context), (_request, at) =>
      at === 0 ? makeResponse({ status: 0, body: { nonce: 'n1' } }) : makeResponse(last),
    );

  test('takes a nonce and a signature, and names the user', () => {
    const { requests } = revoke({ status: 0, body: {} });
    expect(requests.map(({ url, form }) => ({ url, form }))).toEqual([
      {
        url: 'https://wbsapi.withings.net/v2/signature',
        form: {
          action: 'getnonce',
          client_id: 'client-1',
          timestamp: '1772884800',
          signature: signed('getnonce,client-1,1772884800'),
        },
      },
      {
        url: 'https://wbsapi.withings.net/v2/oauth2',
        form: {
          action: 'revoke',
          client_id: 'client-1',
          nonce: 'n1',
          signature: signed('revoke,client-1,n1'),
          userid: '12345',
        },
      },
    ]);
  });

  test('is done when the user had already ended the consent', () => {
    expect(() => revoke({ status: 100, body: {} })).not.toThrow();
  });

  test('fails on anything else, to be retried', () => {
    expect(() => revoke({ status: 601, body: {} })).toThrow('Withings revocation: the provider answered 601');
    expect(() => runRequestFlow(withingsGrant.revoke(context), () => makeResponse('', 500))).toThrow('Withings nonce');
  });
});
