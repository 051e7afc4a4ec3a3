// Tests the sandbox's simulated provider as a browser and a client see it.
import { beforeAll, describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../../shared/connections/client/configured-provider.ts';
import {
  parseSandboxAccount,
  toProviderAccount,
  toSandboxAccount,
} from '../../shared/sandbox/provider-server/account.ts';
import { openBuiltInProvider } from '../../shared/sandbox/provider-server/open-built-in-provider.ts';
import { pathIn } from '../harness/connect-steps.ts';
import { callbackAt, consentAt } from '../harness/sandbox-consent.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
beforeAll(async () => {
  system = await sharedSystem();
  redirectUri = callbackAt(system.host.baseUrl, 'oura');
  query = consentAt(system.host.baseUrl, 'oura', 'oauth/authorize').query;
});

let redirectUri: string;
let query: string;
const pagePath = `/sandbox/oura/cloud.ouraring.com/oauth/authorize`;
const seed = '01k9p3w0b1c3e5g7j9m1p3r5t7';
const form = { decision: 'allow', persona: 'athlete', time_zone: 'Asia/Tokyo', account_number: seed };
const submit = (fields: Record<string, string>, where = pagePath + query) =>
  system.call('POST', where, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const redirectTarget = (headers: Headers) => new URL(headers.get('location') ?? '');

describe('a simulated failure', () => {
  const dataUrl = 'https://api.ouraring.com/v2/usercollection/daily_activity?start_date=2026-01-01&end_date=2026-01-02';
  async function connectFailing(behavior: string) {
    const { headers } = await submit({ ...form, behavior });
    const code = redirectTarget(headers).searchParams.get('code') ?? '';
    const provider = await openBuiltInProvider(system.host.deps);
    const { clientId, clientSecret } = sandboxCredentials(system.host.deps, 'oura');
    const exchange = async (fields: Record<string, string>) => {
      const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...fields }).toString();
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      return provider.handle({ method: 'POST', url: 'https://api.ouraring.com/oauth/token', headers: type, body });
    };
    const tokens = JSON.parse(
      (await exchange({ grant_type: 'authorization_code', code, redirect_uri: redirectUri })).text,
    );
    const read = async () => {
      const headers = { authorization: `Bearer ${tokens.access_token}` };
      return (await provider.handle({ method: 'GET', url: dataUrl, headers, body: '' })).status;
    };
    const refresh = async () =>
      (await exchange({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).status;
    return { read, refresh };
  }

  test.each([
    ['unavailable', 503, 200],
    ['rate_limited', 429, 200],
    ['consent_ended', 401, 400],
  ])('%s begins a minute after the consent', async (behavior, dataStatus, refreshStatus) => {
    const { read, refresh } = await connectFailing(behavior);
    expect(await read()).toBe(200);
    system.clock.advance(61_000);
    expect(await read()).toBe(dataStatus);
    expect(await refresh()).toBe(refreshStatus);
  });

  test('an account that fails has the id of the one that works, and the same life', () => {
    const profile = { userId: `usr_${seed}`, persona: 'athlete', timezone: 'Asia/Tokyo' } as const;
    for (const provider of ['oura', 'polar'] as const)
      expect(toProviderAccount(provider, toSandboxAccount(profile, 'rate_limited'))).toBe(
        toProviderAccount(provider, toSandboxAccount(profile)),
      );
    expect(parseSandboxAccount(toSandboxAccount(profile, 'consent_ended'))).toEqual(profile);
  });
});

describe('the consent page', () => {
  test('says that it is a sandbox, and offers a new account number each time', async () => {
    const response = await system.call('GET', pagePath + query);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.text).toContain('Share Oura data with this app?');
    expect(response.text).not.toContain('<script');
    const again = await system.call('GET', pagePath + query);
    const number = /name="account_number" value="([^"]+)"/;
    expect(number.exec(response.text)?.[1]).not.toBe(number.exec(again.text)?.[1]);
  });

  test.each([
    ['', 'UTC'],
    ['&sandbox_time_zone=Asia%2FTokyo', 'Asia/Tokyo'],
    ['&sandbox_time_zone=%22%3E%3Cb%3E', 'UTC'],
  ])('starts with the suggested time zone, or with UTC: %s', async (suggestion, zone) => {
    const { text } = await system.call('GET', pagePath + query + suggestion);
    expect(text).toContain(`name="time_zone" value="${zone}"`);
  });

  test.each([
    [{ sandbox_persona: 'empty' }, 'empty'],
    [{}, 'average'],
  ])('suggests the persona of the profile %j', async (profile, persona) => {
    const { sandbox_key: token } = await system.account();
    const user = await system.user(token, { profile });
    const { body } = await system.call('POST', `/v1/users/${user}/devices`, { token, body: { provider: 'oura' } });
    const { pathname, search } = redirectTarget((await system.call('GET', pathIn(body.auth_url))).headers);
    expect((await system.call('GET', pathname + search)).text).toContain(`<option value="${persona}" selected>`);
  });

  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    [null, 'UTC'],
  ])('suggests the time zone of the profile, %s, as %s', async (timezone, zone) => {
    const { sandbox_key: token } = await system.account();
    const user = await system.user(token, { timezone });
    const { body } = await system.call('POST', `/v1/users/${user}/devices`, { token, body: { provider: 'oura' } });
    const opened = await system.call('GET', pathIn(body.auth_url));
    const { pathname, search } = redirectTarget(opened.headers);
    expect((await system.call('GET', pathname + search)).text).toContain(`name="time_zone" value="${zone}"`);
  });

  test.each(['https://app.example.com/callback', 'https://evil.example/connect/callback/oura'])(
    'does not redirect to another site: %s',
    async (elsewhere) => {
      const altered = new URLSearchParams(query);
      altered.set('redirect_uri', elsewhere);
      const response = await fetch(`${system.host.baseUrl}${pagePath}?${altered}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(form),
      });
      await response.text();
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    },
  );

  test('redirects back with a code for the chosen persona', async () => {
    const response = await submit(form);
    expect(response.status).toBe(302);
    const url = redirectTarget(response.headers);
    expect(url.origin + url.pathname).toBe(redirectUri);
    expect(url.searchParams.get('state')).toBe('a-state');
    const { clientId, clientSecret } = sandboxCredentials(system.host.deps, 'oura');
    const swap = await fetch(`${system.host.baseUrl}/sandbox/oura/api.ouraring.com/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: url.searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        client_id: clientId,
        client_secret: clientSecret,
      }),
    });
    expect(swap.status).toBe(200);
    const { access_token } = JSON.parse(await swap.text());
    const account = (await openBuiltInProvider(system.host.deps)).accountOf('oura', access_token);
    expect(parseSandboxAccount(account ?? '')).toEqual({
      userId: `usr_${seed}`,
      persona: 'athlete',
      timezone: 'Asia/Tokyo',
    });
  });

  test.each([{ decision: 'deny' }, { ...form, decision: '' }])('redirects back with the denial: %o', async (fields) => {
    const response = await submit(fields);
    expect(response.headers.get('location')).toBe(`${redirectUri}?error=access_denied&state=a-state`);
  });

  test.each([
    ['persona', 'nobody', 'Choose one of these people.'],
    ['time_zone', 'Mars/City', 'Enter a time zone'],
    ['account_number', '"><script>', 'An account number has 26 letters and digits'],
    ['account_number', '7zzzzzzzzzzzzzzzzzzzzzzzzz', 'the first from 0 to 6'],
    ['behavior', 'explodes', 'Choose one of these behaviors.'],
  ])('asks again for an invalid %s, and keeps the other fields', async (field, value, message) => {
    const response = await fetch(system.host.baseUrl + pagePath + query, {
      method: 'POST',
      body: new URLSearchParams({ ...form, [field]: value }),
    });
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toContain(message);
    expect(text).toContain(
      `aria-describedby="${field === 'account_number' ? 'account_number-note ' : ''}${field}-error"`,
    );
    expect(text).not.toContain('<script');
  });

  test('does not redirect for an application that is not registered', async () => {
    const response = await fetch(`${system.host.baseUrl}${pagePath}${query.replace('sandbox-oura', 'somebody')}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('No application is registered as somebody.');
  });
});

test('an unknown simulated provider is not found', async () => {
  const response = await system.call('GET', '/sandbox/fitbit/api.fitbit.com/oauth2/authorize');
  expect([response.status, response.body.error]).toEqual([404, 'not_found']);
});

test('data without a token is rejected as the real provider rejects it', async () => {
  const response = await fetch(`${system.host.baseUrl}/sandbox/oura/api.ouraring.com/v2/usercollection/sleep`);
  expect([401, 404]).toContain(response.status);
});
