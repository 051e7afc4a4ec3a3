// The sandbox's vendor as a browser and a client meet it.
import { beforeAll, describe, expect, test } from 'vitest';
import { sandboxCredentials } from '../../shared/connections/client/configured.ts';
import { lifeOfAccount } from '../../shared/sandbox/provider-server/account.ts';
import { openCloud } from '../../shared/sandbox/provider-server/open-cloud.ts';
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
const page = `/sandbox/oura/cloud.ouraring.com/oauth/authorize`;
const seed = '01k9p3w0b1c3e5g7j9m1p3r5t7';
const form = { decision: 'allow', persona: 'athlete', time_zone: 'Asia/Tokyo', account_number: seed };
const submit = (fields: Record<string, string>, where = page + query) =>
  system.call('POST', where, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const sentTo = (headers: Headers) => new URL(headers.get('location') ?? '');

describe('the consent page', () => {
  test('says what it is, and offers a new account each time', async () => {
    const told = await system.call('GET', page + query);
    expect(told.status).toBe(200);
    expect(told.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(told.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(told.headers.get('cache-control')).toBe('no-store');
    expect(told.text).toContain('Share Oura data with this app?');
    expect(told.text).not.toContain('<script');
    const again = await system.call('GET', page + query);
    const number = /name="account_number" value="([^"]+)"/;
    expect(number.exec(told.text)?.[1]).not.toBe(number.exec(again.text)?.[1]);
  });

  test.each(['https://app.example.com/callback', 'https://evil.example/connect/callback/oura'])(
    'leads nowhere but here: %s',
    async (elsewhere) => {
      const altered = new URLSearchParams(query);
      altered.set('redirect_uri', elsewhere);
      const told = await fetch(`${system.host.baseUrl}${page}?${altered}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams(form),
      });
      await told.text();
      expect([told.status, told.headers.get('location')]).toEqual([400, null]);
    },
  );

  test('leads back with a code for the chosen life', async () => {
    const told = await submit(form);
    expect(told.status).toBe(302);
    const url = sentTo(told.headers);
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
    const account = (await openCloud(system.host.deps)).accountOf('oura', access_token);
    expect(lifeOfAccount(account ?? '')).toEqual({ userId: `usr_${seed}`, persona: 'athlete', timezone: 'Asia/Tokyo' });
  });

  test.each([{ decision: 'deny' }, { ...form, decision: '' }])('leads back with the refusal: %o', async (fields) => {
    const told = await submit(fields);
    expect(told.headers.get('location')).toBe(`${redirectUri}?error=access_denied&state=a-state`);
  });

  test.each([
    ['persona', 'nobody', 'Choose one of these people.'],
    ['time_zone', 'Mars/City', 'Enter a time zone'],
    ['account_number', '"><script>', 'An account number has 26 letters and digits.'],
  ])('asks again for a %s that is not one, and keeps the rest', async (field, value, says) => {
    const told = await fetch(system.host.baseUrl + page + query, {
      method: 'POST',
      body: new URLSearchParams({ ...form, [field]: value }),
    });
    const text = await told.text();
    expect(told.status).toBe(400);
    expect(text).toContain(says);
    expect(text).toContain(
      `aria-describedby="${field === 'account_number' ? 'account_number-note ' : ''}${field}-mistake"`,
    );
    expect(text).not.toContain('<script');
  });

  test('sends nobody on for an application that is not registered', async () => {
    const told = await fetch(`${system.host.baseUrl}${page}${query.replace('sandbox-oura', 'somebody')}`);
    expect(told.status).toBe(400);
    expect(await told.text()).toContain('No application is registered as somebody.');
  });
});

test('a vendor that nobody has registered is not found', async () => {
  const told = await system.call('GET', '/sandbox/fitbit/api.fitbit.com/oauth2/authorize');
  expect([told.status, told.body.error]).toEqual([404, 'not_found']);
});

test('data without a token is refused as the vendor refuses it', async () => {
  const told = await fetch(`${system.host.baseUrl}/sandbox/oura/api.ouraring.com/v2/usercollection/sleep`);
  expect([401, 404]).toContain(told.status);
});
