// What the standard's OAuth makes of answers, whichever vendor takes it as it is.
import { describe, expect, test } from 'vitest';
import type { CloudDescriptor } from '../../../../shared/providers/kit/descriptor.ts';
import { type CodeExchange, GrantRefused } from '../../../../shared/providers/kit/grant.ts';
import { type ProviderResponse, UnexpectedResponse } from '../../../../shared/providers/kit/request-flow.ts';
import { createStandardGrant } from '../../../../shared/providers/kit/standard-grant.ts';
import { oura } from '../../../../shared/providers/oura/descriptor.ts';
import { makeGrantContext, makeResponse, runRequestFlow, testCredentials } from '../../../harness/request-flow.ts';

const vendor = (oauth: Partial<CloudDescriptor['oauth']> = {}) =>
  createStandardGrant({ ...oura, oauth: { ...oura.oauth, ...oauth } });
const asked: CodeExchange = {
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
  by = vendor(),
  more: Partial<CodeExchange> = {},
) => runRequestFlow(by.exchange({ ...asked, ...more }), (_request, at) => (at === 0 ? grant : account));
const refusal = (...args: Parameters<typeof swapped>): unknown => {
  try {
    return swapped(...args).result;
  } catch (error) {
    return error;
  }
};

describe('a code', () => {
  test('is sent with its secret to those only who were shown a challenge', () => {
    const unbound = swapped(makeResponse(tokens), undefined, undefined, { verifier: undefined });
    expect(unbound.requests[0]?.form).not.toHaveProperty('code_verifier');
    expect(swapped(makeResponse(tokens)).requests[0]?.form).toMatchObject({ code_verifier: 'verifier-1' });
  });

  test('gives tokens that never run out where the vendor counts no seconds', () => {
    expect(swapped(makeResponse({ ...tokens, expires_in: 0 })).result.expiresMs).toBeNull();
    expect(swapped(makeResponse({ ...tokens, expires_in: '60' })).result.expiresMs).toBe(asked.nowMs + 60_000);
  });

  test.each([1e308, Number.MAX_VALUE, 1e12])(
    'gives tokens that run out in ten years where the vendor counts %d seconds',
    (expires_in) => {
      const tenYearsMs = 10 * 365 * 86_400_000;
      expect(swapped(makeResponse({ ...tokens, expires_in })).result.expiresMs).toBe(asked.nowMs + tenYearsMs);
      expect(vendor().refresh?.interpret(makeResponse({ ...tokens, expires_in }), makeGrantContext())).toMatchObject({
        expiresMs: makeGrantContext().nowMs + tenYearsMs,
      });
    },
  );

  test('keeps as many scopes as fit beside the tokens', () => {
    const scope = ['daily', 's'.repeat(201), ...Array.from({ length: 5_000 }, (_none, at) => `scope-${at}`)].join(' ');
    const { scopes } = swapped(makeResponse({ ...tokens, scope })).result;
    expect([scopes?.length, scopes?.slice(0, 2)]).toEqual([100, ['daily', 'scope-0']]);
  });

  test.each([
    ['too long', 'a'.repeat(16_385)],
    ['of two lines', 'access\r\nx-other: 1'],
    ['empty', ''],
  ])('gives nothing where the token is %s: it would not fit into a header', (_name, token) => {
    expect(refusal(makeResponse({ ...tokens, access_token: token }))).toBeInstanceOf(UnexpectedResponse);
    expect(vendor().refresh?.interpret(makeResponse({ ...tokens, refresh_token: token }), makeGrantContext())).toBe(
      'unclear',
    );
  });

  test('gives nothing where the vendor refuses, whatever else it says', () => {
    expect(refusal(makeResponse(tokens, 400))).toMatchObject({ reason: 'code_refused' });
  });

  test.each(['invalid_client', 'unauthorized_client'])('is not to blame when the vendor says %s', (error) => {
    expect(refusal(makeResponse({ error }, 400))).toMatchObject({ reason: 'not_configured' });
    expect(vendor().refresh?.interpret(makeResponse({ error }, 400), makeGrantContext())).toBe('ours');
  });

  test('is not refused because the vendor does not say whose it is for now', () => {
    expect(refusal(makeResponse(tokens), makeResponse({}, 403))).toBeInstanceOf(UnexpectedResponse);
    expect(refusal(makeResponse(tokens), makeResponse({}))).toBeInstanceOf(GrantRefused);
  });
});

test('a consent is given back at the address of the account, whatever that is called', () => {
  const by = vendor({
    revocation: { by: 'bearer', method: 'DELETE', url: 'https://vendor.example/users/{account_id}' },
  });
  const { requests } = runRequestFlow(by.revoke({ ...makeGrantContext(), account: '../a b' }), () =>
    makeResponse('', 204),
  );
  expect(requests[0]?.url).toBe('https://vendor.example/users/..%2Fa%20b');
});
