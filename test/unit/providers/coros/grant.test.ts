import { expect, test } from 'vitest';
import { corosGrant } from '../../../../shared/providers/coros/grant.ts';
import { type GrantContext, GrantRefused } from '../../../../shared/providers/kit/grant.ts';
import { UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { testCredentials as credentials, makeResponse, runRequestFlow } from '../../../harness/request-flow.ts';

const nowMs = Date.parse('2026-03-10T00:00:00Z');
const day = 86_400_000;
const context: GrantContext = {
  credentials,
  account: 'open-1',
  nowMs,
  grant: { accessToken: 'a1', refreshToken: 'r1', expiresMs: nowMs, scopes: null },
};
const codeExchange = {
  credentials,
  redirectUri: 'https://d.example/cb',
  code: 'c0de',
  verifier: 'v',
  externalId: 'u',
  nowMs,
  query: {},
};
const tokens = { access_token: 'a1', refresh_token: 'r1', expires_in: 2_592_000 };

test('a code becomes a grant that is renewed ten days before it expires', () => {
  const { result, requests } = runRequestFlow(corosGrant.exchange(codeExchange), () =>
    makeResponse({ ...tokens, openId: 'open-1' }),
  );
  expect(result).toEqual({
    account: 'open-1',
    accessToken: 'a1',
    refreshToken: 'r1',
    expiresMs: nowMs + 20 * day,
    scopes: null,
  });
  expect(requests).toMatchObject([
    {
      method: 'POST',
      url: 'https://open.coros.com/oauth2/accesstoken',
      form: {
        client_id: 'client-1',
        client_secret: 'secret-1',
        code: 'c0de',
        redirect_uri: 'https://d.example/cb',
        grant_type: 'authorization_code',
      },
    },
  ]);
});

test('an account id with more digits than a double can hold keeps them all', () => {
  const text = '{"access_token":"a1","refresh_token":"r1","expires_in":2592000,"openId":9223372036854775807}';
  expect(runRequestFlow(corosGrant.exchange(codeExchange), () => makeResponse(text)).result.account).toBe(
    '9223372036854775807',
  );
});

test('an account id that the reply lacks is requested, and the grant is refused if that reply lacks it too', () => {
  const { result, requests } = runRequestFlow(corosGrant.exchange(codeExchange), ({ method }) =>
    makeResponse(method === 'POST' ? tokens : { result: '0000', data: { openId: 'open-2' } }),
  );
  expect([result.account, requests[1]?.url, requests[1]?.headers?.['authorization']]).toEqual([
    'open-2',
    'https://open.coros.com/v2/user',
    'Bearer a1',
  ]);
  expect(() =>
    runRequestFlow(corosGrant.exchange(codeExchange), ({ method }) =>
      makeResponse(method === 'POST' ? tokens : '', method === 'POST' ? 200 : 404),
    ),
  ).toThrow(GrantRefused);
});

test('a code that is refused with status 200 is recognized', () => {
  expect(() =>
    runRequestFlow(corosGrant.exchange(codeExchange), () => makeResponse({ result: '5001', message: 'no' })),
  ).toThrow(GrantRefused);
  expect(() => runRequestFlow(corosGrant.exchange(codeExchange), () => makeResponse('', 400))).toThrow(GrantRefused);
  expect(() => runRequestFlow(corosGrant.exchange(codeExchange), () => makeResponse('<html>'))).toThrow(
    UnexpectedResponse,
  );
});

test('a refresh uses its own URL and extends the same tokens', () => {
  expect(corosGrant.refresh?.buildRequest(context)).toMatchObject({
    url: 'https://open.coros.com/oauth2/refresh-token',
    form: { grant_type: 'refresh_token', refresh_token: 'r1', client_id: 'client-1', client_secret: 'secret-1' },
  });
  expect(corosGrant.refresh?.interpret(makeResponse({ result: '0000', message: 'OK' }), context)).toEqual({
    ...context.grant,
    expiresMs: nowMs + 20 * day,
  });
});

test('a refresh that does return a new token replaces the old one', () => {
  const reply = makeResponse({ result: '0000', access_token: 'a2', expires_in: 2_592_000 });
  expect(corosGrant.refresh?.interpret(reply, context)).toMatchObject({ accessToken: 'a2', refreshToken: 'r1' });
});

test.each([
  [200, { result: '5001', message: 'refresh refused' }, 'dead'],
  [200, { result: '5006' }, 'dead'],
  [200, { result: 5006 }, 'dead'],
  [200, { result: '5016' }, 'unclear'],
  [200, { result: '9999' }, 'unclear'],
  [200, '<html>', 'unclear'],
  [400, { error: 'invalid_grant' }, 'unclear'],
  [401, '', 'unclear'],
  [503, { result: '5006' }, 'unclear'],
])('a refresh answered with %s %j is %s', (status, body, verdict) => {
  expect(corosGrant.refresh?.interpret(makeResponse(body, status), context)).toBe(verdict);
});

test.each([
  [{ result: '0000', data: { bindState: 0 } }, true],
  [{ result: '0000', data: { bindState: '0' } }, true],
  [{ result: '0000', data: { bindState: 1 } }, false],
  [{ result: '0000', data: {} }, false],
  [{ result: '5006', data: { bindState: 0 } }, false],
  ['<html>', false],
])('only an account that is no longer bound is gone: %j is %s', (body, isGone) => {
  const { result, requests } = runRequestFlow(corosGrant.confirmTokenInvalid?.(context) ?? never(), () =>
    makeResponse(body),
  );
  expect(result).toBe(isGone);
  expect(requests).toEqual([
    { method: 'GET', url: 'https://open.coros.com/coros/bindState', query: { token: 'a1', openId: 'open-1' } },
  ]);
});

test('consent is revoked with one call, whose outcome is the result in the body, not the status', () => {
  const { requests } = runRequestFlow(corosGrant.revoke(context), () =>
    makeResponse({ result: '0000', message: 'OK' }),
  );
  expect(requests).toEqual([
    { method: 'POST', url: 'https://open.coros.com/oauth2/deauthorize', query: { token: 'a1' } },
  ]);
  for (const result of ['5006', '5010']) runRequestFlow(corosGrant.revoke(context), () => makeResponse({ result }));
  for (const body of [{ result: '5016' }, '', { message: 'OK' }])
    expect(() => runRequestFlow(corosGrant.revoke(context), () => makeResponse(body))).toThrow(UnexpectedResponse);
});

test('a data call carries token and account in its query', () => {
  const request = {
    method: 'GET' as const,
    url: 'https://open.coros.com/coros/daily/query',
    query: { startDate: '20260310' },
  };
  expect(corosGrant.authorizeRequest?.(request, context)).toEqual({
    ...request,
    query: { startDate: '20260310', token: 'a1', openId: 'open-1' },
  });
});

test('the body states that the token expired, or that the call should be retried later', () => {
  expect(corosGrant.classifyResponse?.(makeResponse({ result: '5006' }))).toBe('expired');
  expect(corosGrant.classifyResponse?.(makeResponse({ result: '5016' }))).toBe('away');
  expect(corosGrant.classifyResponse?.(makeResponse({ result: '0000', data: [] }))).toBeUndefined();
  expect(corosGrant.classifyResponse?.(makeResponse('<html>'))).toBeUndefined();
});

function never(): never {
  throw new Error('there is no request to confirm it');
}
