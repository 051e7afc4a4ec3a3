// The simulated provider over HTTP, at the paths of the real ones: consent, codes, tokens,
// refreshes, revocation and data.
import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CloudProviderId } from '../../../../shared/catalog/provider.ts';
import { providerDescriptors } from '../../../../shared/providers/catalog.ts';
import { basicAuthHeader } from '../../../../shared/providers/kit/request-flow.ts';
import { toSandboxUrl } from '../../../../shared/sandbox/provider-server/address.ts';
import {
  jsonProviderResponse,
  type ProviderSimulator,
} from '../../../../shared/sandbox/simulated-providers/simulator.ts';
import { frozenClock, type TestClock } from '../../../harness/clock.ts';
import {
  type FakeProviderServer,
  internalError,
  isPath,
  isRefresh,
  startFakeProvider,
  tooManyRequests,
} from '../../../harness/fake-provider-server.ts';

const plain: ProviderSimulator = {
  respond: ({ path, account, query }, items) =>
    path.startsWith('/v2/')
      ? jsonProviderResponse({
          account,
          items: items('sleep', query['from'] ? { from: query['from'], to: query['to'] ?? '' } : undefined),
        })
      : undefined,
  listItems: () => [],
};

const redirect = 'https://example.com/callback';
let providerServer: FakeProviderServer;
let clock: TestClock;
beforeAll(async () => {
  providerServer = await startFakeProvider({ shapes: () => plain });
});
beforeEach(() => {
  clock = frozenClock();
  providerServer.useClock(clock);
});
afterAll(() => providerServer.close());

async function codeFor(provider: CloudProviderId, more: Record<string, string> = {}): Promise<string> {
  const url = new URL(toSandboxUrl(providerServer.baseUrl, provider, providerDescriptors[provider].oauth.authorizeUrl));
  const params = {
    response_type: 'code',
    client_id: providerServer.credentials(provider).clientId,
    redirect_uri: redirect,
    state: 's',
  };
  for (const [name, value] of Object.entries({ ...params, ...more })) url.searchParams.set(name, value);
  const sent = new URL(await providerServer.consent(url.href, 'runner42'));
  expect(sent.origin + sent.pathname).toBe(redirect);
  expect(sent.searchParams.get('state')).toBe('s');
  return sent.searchParams.get('code') ?? '';
}

async function post(
  provider: CloudProviderId,
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(toSandboxUrl(providerServer.baseUrl, provider, url), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(form),
  });
  return { status: response.status, body: JSON.parse((await response.text()) || '{}') };
}
const swap = (provider: CloudProviderId, fields: Record<string, string>) => {
  const { oauth } = providerDescriptors[provider];
  const { clientId, clientSecret } = providerServer.credentials(provider);
  const inBody = oauth.clientAuth === 'body';
  return post(
    provider,
    oauth.tokenUrl,
    { ...fields, ...(inBody ? { client_id: clientId, client_secret: clientSecret } : {}) },
    inBody ? {} : { authorization: basicAuthHeader(providerServer.credentials(provider)) },
  );
};
const exchange = (provider: CloudProviderId, code: string, more: Record<string, string> = {}) =>
  swap(provider, { grant_type: 'authorization_code', code, redirect_uri: redirect, ...more });
const refresh = (provider: CloudProviderId, token: string) =>
  swap(provider, { grant_type: 'refresh_token', refresh_token: token });
async function read(provider: CloudProviderId, url: string, token: string) {
  const response = await fetch(toSandboxUrl(providerServer.baseUrl, provider, url), {
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
const sleep = 'https://api.ouraring.com/v2/usercollection/sleep';
const challenged = {
  code_challenge: createHash('sha256').update('a verifier').digest('base64url'),
  code_challenge_method: 'S256',
};
const verified = { code_verifier: 'a verifier' };

describe('a code', () => {
  test('is exchanged once, for tokens that read this account and no other provider', async () => {
    providerServer.fixtures.write('oura', 'runner42', { sleep: [{ id: 'a' }] });
    const code = await codeFor('oura');
    const { status, body } = await exchange('oura', code);
    expect(status).toBe(200);
    expect(body.expires_in).toBe(86_400);
    expect((await read('oura', sleep, body.access_token)).body).toEqual({ account: 'runner42', items: [{ id: 'a' }] });
    expect((await read('whoop', 'https://api.prod.whoop.com/v2/cycle', body.access_token)).status).toBe(401);
    expect(await exchange('oura', code)).toEqual({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('expires after ten minutes', async () => {
    const code = await codeFor('oura');
    clock.advance(600_000);
    expect((await exchange('oura', code)).body).toEqual({ error: 'invalid_grant' });
  });

  test('is valid only for the redirect URI it was sent to', async () => {
    expect((await exchange('oura', await codeFor('oura'), { redirect_uri: 'https://example.org' })).status).toBe(400);
  });

  test('with a challenge needs its verifier', async () => {
    const swapWith = async (more: Record<string, string>) =>
      (await exchange('garmin', await codeFor('garmin', challenged), more)).status;
    expect(await swapWith({ code_verifier: 'another' })).toBe(400);
    expect(await swapWith({})).toBe(400);
    expect(await swapWith(verified)).toBe(200);
  });

  test('without a challenge is rejected with a verifier', async () => {
    expect((await exchange('oura', await codeFor('oura'), verified)).status).toBe(400);
  });

  test('is only exchanged by the registered client, in the body or with Basic', async () => {
    const { tokenUrl } = providerDescriptors.oura.oauth;
    const form = {
      grant_type: 'authorization_code',
      code: await codeFor('oura'),
      client_id: 'test-oura',
      client_secret: 'x',
    };
    expect(await post('oura', tokenUrl, form)).toEqual({ status: 401, body: { error: 'invalid_client' } });
    expect((await exchange('polar', await codeFor('polar'))).status).toBe(200);
  });
});

test('a consent page for an unknown application does not redirect', async () => {
  await expect(codeFor('oura', { client_id: 'somebody' })).rejects.toThrow('No application is registered as somebody');
  await expect(codeFor('oura', { redirect_uri: 'javascript:alert(1)' })).rejects.toThrow('redirect_uri');
});

test('a user who refuses is redirected with an error', async () => {
  const url = new URL(toSandboxUrl(providerServer.baseUrl, 'oura', providerDescriptors.oura.oauth.authorizeUrl));
  const params = { client_id: 'test-oura', redirect_uri: redirect, state: 'xyz' };
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  expect(await providerServer.consent(url.href, null)).toBe(`${redirect}?error=access_denied&state=xyz`);
});

describe('an access token', () => {
  test('expires, and a refresh returns the next one', async () => {
    const first = (await exchange('oura', await codeFor('oura'))).body;
    clock.advance(86_400_000);
    expect((await read('oura', sleep, first.access_token)).status).toBe(401);
    const second = (await refresh('oura', first.refresh_token)).body;
    expect((await read('oura', sleep, second.access_token)).status).toBe(200);
  });

  test('of a provider with rotating refresh tokens comes with the next refresh token, and the previous one is invalid', async () => {
    const first = (await exchange('whoop', await codeFor('whoop', challenged), verified)).body;
    const second = (await refresh('whoop', first.refresh_token)).body;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await refresh('whoop', first.refresh_token)).body).toEqual({ error: 'invalid_grant' });
    expect((await refresh('whoop', second.refresh_token)).status).toBe(200);
  });

  test('is not a refresh token, and a refresh token reads no data', async () => {
    const { access_token, refresh_token } = (await exchange('oura', await codeFor('oura'))).body;
    expect((await read('oura', sleep, refresh_token)).status).toBe(401);
    expect((await refresh('oura', access_token)).body).toEqual({ error: 'invalid_grant' });
  });

  test('that was altered is invalid', async () => {
    const { access_token } = (await exchange('oura', await codeFor('oura'))).body;
    expect((await read('oura', sleep, `${access_token.slice(0, -2)}AA`)).status).toBe(401);
    expect((await read('oura', sleep, '')).status).toBe(401);
  });
});

describe('a revocation', () => {
  test('ends all tokens of the consent, and no others', async () => {
    const first = (await exchange('oura', await codeFor('oura'))).body;
    const other = (await exchange('oura', await codeFor('oura'))).body;
    await post('oura', `https://api.ouraring.com/oauth/revoke?access_token=${first.access_token}`, {});
    expect((await read('oura', sleep, first.access_token)).status).toBe(401);
    expect((await refresh('oura', first.refresh_token)).body).toEqual({ error: 'invalid_grant' });
    expect((await read('oura', sleep, other.access_token)).status).toBe(200);
  });

  test('with a signature ends all consents of the account so far', async () => {
    const { clientId, clientSecret } = providerServer.credentials('withings');
    const first = (await exchange('withings', await codeFor('withings'))).body;
    const sign = (...parts: string[]) => createHmac('sha256', clientSecret).update(parts.join(',')).digest('hex');
    const params = {
      action: 'getnonce',
      client_id: clientId,
      timestamp: '1',
      signature: sign('getnonce', clientId, '1'),
    };
    const { nonce } = (await post('withings', 'https://wbsapi.withings.net/v2/signature', params)).body.body;
    const revoke = (signature: string, shown: string = nonce) =>
      post('withings', 'https://wbsapi.withings.net/v2/oauth2', {
        action: 'revoke',
        client_id: clientId,
        nonce: shown,
        signature,
        userid: 'runner42',
      });
    expect((await revoke('wrong')).body.status).not.toBe(0);
    expect((await revoke(sign('revoke', clientId, 'made up'), 'made up')).body.status).not.toBe(0);
    expect((await refresh('withings', first.refresh_token)).status).toBe(200);
    expect((await revoke(sign('revoke', clientId, nonce))).body.status).toBe(0);
    expect((await refresh('withings', first.refresh_token)).status).toBe(400);
    clock.advance(1);
    const again = (await exchange('withings', await codeFor('withings'))).body;
    expect((await refresh('withings', again.refresh_token)).status).toBe(200);
  });
});

describe('a provider for tests', () => {
  test('returns the fixtures of the requested days', async () => {
    providerServer.fixtures.write('oura', 'runner42', { sleep: [] });
    providerServer.fixtures
      .of('oura', 'runner42', 'sleep')
      .push(
        { item: 1, dates: { from: '2026-03-01', to: '2026-03-02' } },
        { item: 2, dates: { from: '2026-03-03', to: '2026-03-03' } },
      );
    const { access_token } = (await exchange('oura', await codeFor('oura'))).body;
    expect((await read('oura', `${sleep}?from=2026-03-02&to=2026-03-02`, access_token)).body.items).toEqual([1]);
    expect((await read('oura', sleep, access_token)).body.items).toEqual([1, 2]);
  });

  test('fails as configured, as often as configured, and counts its requests', async () => {
    const { access_token, refresh_token } = (await exchange('oura', await codeFor('oura'))).body;
    const before = providerServer.count('/sleep');
    providerServer.fault(isPath('/sleep'), internalError, 1);
    providerServer.fault(isPath('/sleep'), tooManyRequests(7), 1);
    providerServer.fault(isPath('/sleep'), 'cut', 1);
    expect((await read('oura', sleep, access_token)).status).toBe(500);
    expect((await read('oura', sleep, access_token)).status).toBe(429);
    await expect(read('oura', sleep, access_token)).rejects.toThrow();
    expect((await read('oura', sleep, access_token)).status).toBe(200);
    expect(providerServer.count('/sleep') - before).toBe(4);
    const end = providerServer.fault(isRefresh, 'dead');
    expect((await refresh('oura', refresh_token)).body).toEqual({ error: 'invalid_grant' });
    end();
    expect((await refresh('oura', refresh_token)).status).toBe(200);
  });
});
