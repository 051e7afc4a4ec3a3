import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressRateLimit } from '../../shared/platform/rate-limit.ts';
import { headingOf, openPage } from '../harness/connect-steps.ts';
import { type ProviderSystem, startProviderSystem } from '../harness/provider-system.ts';
import { type System, startSystem } from '../harness/system.ts';

let world: ProviderSystem;

beforeAll(async () => {
  world = await startProviderSystem({ only: ['oura'] });
});
afterAll(() => world.stop());

describe('a request to connect', () => {
  test.each([
    ['without a provider', {}, 'invalid_body', /provider/],
    ['with an unknown provider', { provider: 'pebble' }, 'invalid_provider', /GET \/v1\/providers/],
    ['with a name that its provider had before', { provider: 'fitbit' }, 'invalid_provider', /google_health/],
    [
      'with a provider that only the mobile SDK supports',
      { provider: 'apple_health' },
      'invalid_provider',
      /Mobile SDK/,
    ],
    ['with a provider that has no credentials here', { provider: 'garmin' }, 'invalid_provider', /not available/],
    [
      'with a redirect URL that is not a URL',
      { provider: 'oura', redirect_url: 'app' },
      'invalid_body',
      /redirect_url/,
    ],
    ['with plain http', { provider: 'oura', redirect_url: 'http://app.example.com' }, 'invalid_body', /https/],
    ['with a script', { provider: 'oura', redirect_url: 'javascript:alert(1)' }, 'invalid_body', /https/],
    [
      'with a backslash',
      { provider: 'oura', redirect_url: 'https://app.example.com\\@evil.example/' },
      'invalid_body',
      /https/,
    ],
    ['with a missing slash', { provider: 'oura', redirect_url: 'https:/app.example.com' }, 'invalid_body', /https/],
    ['with a password', { provider: 'oura', redirect_url: 'https://a:b@app.example.com' }, 'invalid_body', /password/],
    ['with an unknown field', { provider: 'oura', scopes: [] }, 'invalid_body', /scopes/],
  ])('%s is rejected with a helpful message', async (_what, body, error, message) => {
    const user = await world.user();
    const response = await world.system.call('POST', `/v1/users/${user}/devices`, { token: world.key, body });
    expect([response.status, response.body.error]).toEqual([400, error]);
    expect(response.body.message).toMatch(message);
    expect((await world.get(user, 'devices')).body.data).toEqual([]);
  });

  test.each(['http://localhost:3000/x', 'http://127.0.0.1/x', 'https://app.example.com/x#y'])(
    'accepts %s as its redirect URL',
    async (redirect_url) => {
      const path = `/v1/users/${await world.user()}/devices`;
      const response = await world.system.call('POST', path, {
        token: world.key,
        body: { provider: 'oura', redirect_url },
      });
      expect(response.status).toBe(200);
    },
  );

  test('returns a pending device and a link that is valid for 15 minutes', async () => {
    const user = await world.user();
    const { body } = await world.system.call('POST', `/v1/users/${user}/devices`, {
      token: world.key,
      body: { provider: 'oura' },
    });
    expect(Object.keys(body).toSorted()).toEqual(['auth_url', 'expires_at', 'id', 'provider', 'status']);
    expect([body.provider, body.status]).toEqual(['oura', 'pending']);
    expect(body.auth_url.startsWith(`${world.system.host.baseUrl}/connect/`)).toBe(true);
    const left = Date.parse(body.expires_at) - world.system.clock.now();
    expect(left).toBeGreaterThan(14 * 60_000);
    expect(left).toBeLessThanOrEqual(15 * 60_000);
  });

  test('can name any provider in the sandbox', async () => {
    const user = await world.system.user(world.sandboxKey);
    const path = `/v1/users/${user}/devices`;
    const response = await world.system.call('POST', path, { token: world.sandboxKey, body: { provider: 'strava' } });
    expect(response.status).toBe(200);
    const page = await openPage(world.system, response.body.auth_url);
    expect(page.headers.get('location')).toMatch(/^http:\/\/localhost:\d+\/sandbox\/strava\/www\.strava\.com\//);
  });
});

describe('an exceeded rate limit', () => {
  let system: System;
  beforeAll(async () => {
    // A separate system, because the test freezes its clock.
    system = await startSystem();
  });
  afterAll(() => system.stop());

  test('is a page in a browser, and JSON for any other client', async () => {
    const requestPage = (accept: string) => system.call('GET', '/connect/nothing', { headers: { accept } });
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const unfreeze = system.clock.freeze();
    for (let i = 0; i <= addressRateLimit.burst; i += 1) await requestPage(browser);
    const [page, json] = [await requestPage(browser), await requestPage('application/json')];
    expect([page.status, headingOf(page)]).toEqual([429, 'That was a little too fast']);
    expect(Number(page.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect([json.status, json.body.error]).toEqual([429, 'rate_limited']);
    unfreeze();
  });
});
