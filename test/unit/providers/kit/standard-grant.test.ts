// How the standard OAuth flow interprets responses, for every provider that uses it unchanged.
import { describe, expect, test } from 'vitest';
import type { CloudDescriptor } from '../../../../shared/providers/kit/descriptor.ts';
import { type CodeExchange, GrantRefused } from '../../../../shared/providers/kit/grant.ts';
import { type ProviderResponse, UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { createStandardGrant } from '../../../../shared/providers/kit/standard-grant.ts';
import { oura } from '../../../../shared/providers/oura/descriptor.ts';
import { makeGrantContext, makeResponse, runRequestFlow, testCredentials } from '../../../harness/request-flow.ts';

const makeGrant = (oauth: Partial<CloudDescriptor['oauth']> = {}) =>
  createStandardGrant({ ...oura, oauth: { ...oura.oauth, ...oauth } });
const codeExchange: CodeExchange = {
  credentials: testCredentials,
  redirectUri: 'https://day.example/connect/callback/oura',
  code: 'code-1',
  verifier: 'verifier-1',
  externalId: 'dev_1',
  nowMs: Date.UTC(2026, 2, 10, 12),
  query: {},
};
const tokens = { access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 3_600 };
const swapped = (
  grant: ProviderResponse,
  account = makeResponse({ id: 'ann' }),
  by = makeGrant(),
  more: Partial<CodeExchange> = {},
) => runRequestFlow(by.exchange({ ...codeExchange, ...more }), (_request, at) => (at === 0 ? grant : account));
const refusal = (...args: Parameters<typeof swapped>): unknown => {
  try {
    return swapped(...args).result;
  } catch (error) {
    return error;
  }
};

describe('a code', () => {
  test('is sent with its verifier only if the provider was sent a challenge', () => {
    const unbound = swapped(makeResponse(tokens), undefined, undefined, { verifier: undefined });
    expect(unbound.requests[0]?.form).not.toHaveProperty('code_verifier');
    expect(swapped(makeResponse(tokens)).requests[0]?.form).toMatchObject({ code_verifier: 'verifier-1' });
  });

  test('returns tokens that never expire when the provider sends no lifetime', () => {
    expect(swapped(makeResponse({ ...tokens, expires_in: 0 })).result.expiresMs).toBeNull();
    expect(swapped(makeResponse({ ...tokens, expires_in: '60' })).result.expiresMs).toBe(codeExchange.nowMs + 60_000);
  });

  test.each([1e308, Number.MAX_VALUE, 1e12])(
    'returns tokens that expire in ten years when the provider sends %d seconds',
    (expires_in) => {
      const tenYearsMs = 10 * 365 * 86_400_000;
      expect(swapped(makeResponse({ ...tokens, expires_in })).result.expiresMs).toBe(codeExchange.nowMs + tenYearsMs);
      expect(makeGrant().refresh?.interpret(makeResponse({ ...tokens, expires_in }), makeGrantContext())).toMatchObject(
        {
          expiresMs: makeGrantContext().nowMs + tenYearsMs,
        },
      );
    },
  );

  test('stores only the scopes that fit next to the tokens', () => {
    const scope = ['daily', 's'.repeat(201), ...Array.from({ length: 5_000 }, (_none, at) => `scope-${at}`)].join(' ');
    const { scopes } = swapped(makeResponse({ ...tokens, scope })).result;
    expect([scopes?.length, scopes?.slice(0, 2)]).toEqual([100, ['daily', 'scope-0']]);
  });

  test.each([
    ['too long', 'a'.repeat(16_385)],
    ['of two lines', 'access\r\nx-other: 1'],
    ['empty', ''],
  ])('is rejected when the token is %s, because it would not fit into a header', (_name, token) => {
    expect(refusal(makeResponse({ ...tokens, access_token: token }))).toBeInstanceOf(UnexpectedResponse);
    expect(makeGrant().refresh?.interpret(makeResponse({ ...tokens, refresh_token: token }), makeGrantContext())).toBe(
      'unclear',
    );
  });

  test('is refused when the provider refuses it, even if the response contains tokens', () => {
    expect(refusal(makeResponse(tokens, 400))).toMatchObject({ reason: 'code_refused' });
  });

  test.each(['invalid_client', 'unauthorized_client'])('is not at fault when the provider returns %s', (error) => {
    expect(refusal(makeResponse({ error }, 400))).toMatchObject({ reason: 'not_configured' });
    expect(makeGrant().refresh?.interpret(makeResponse({ error }, 400), makeGrantContext())).toBe('ours');
  });

  test('is not refused when the provider cannot name the account for the moment', () => {
    expect(refusal(makeResponse(tokens), makeResponse({}, 403))).toBeInstanceOf(UnexpectedResponse);
    expect(refusal(makeResponse(tokens), makeResponse({}))).toBeInstanceOf(GrantRefused);
  });
});

test('consent is revoked at the URL of the account, with the account id escaped', () => {
  const by = makeGrant({
    revocation: { by: 'bearer', method: 'DELETE', url: 'https://vendor.example/users/{account_id}' },
  });
  const { requests } = runRequestFlow(by.revoke({ ...makeGrantContext(), account: '../a b' }), () =>
    makeResponse('', 204),
  );
  expect(requests[0]?.url).toBe('https://vendor.example/users/..%2Fa%20b');
});
