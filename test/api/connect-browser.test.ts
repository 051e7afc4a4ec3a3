// A connection can only be completed in the browser that started it, and a code only with the state
// that it was issued for.
import { describe, expect, test } from 'vitest';
import { buildBrowserCookie, readBrowserNonce } from '../../functions/api/connect/browser-cookie.ts';
import { cloudProviderIds } from '../../shared/catalog/provider.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import { CookieJar } from '../harness/browser.ts';
import { openPage, redirectLocation } from '../harness/connect-steps.ts';
import { beginAndConsent, beginConnection, openWorld, readDevice, testBrowserBinding } from './browser-binding.ts';

const world = openWorld();

// Withings does not support PKCE; Garmin does.
testBrowserBinding(['withings', 'garmin']);

describe('a callback', () => {
  test("that uses the link's own token as its state is rejected, because everyone who received the link has it", async () => {
    const { link, callback, jar } = await beginAndConsent('oura', 'ann');
    const url = new URL(callback);
    url.searchParams.set('state', link.slice(link.lastIndexOf('/') + 1));
    expect((await openPage(world().system, url.href, jar)).status).toBe(404);
  });
});

describe('a browser', () => {
  test('can have several links open at once and complete them in any order', async () => {
    const jar = new CookieJar();
    const links = [
      await beginAndConsent('oura', '1', jar),
      await beginAndConsent('whoop', '2', jar),
      await beginAndConsent('polar', '3', jar),
    ];
    for (const { callback } of links.toReversed())
      expect((await openPage(world().system, callback, jar)).status).toBe(200);
    for (const link of links) expect((await readDevice(link))?.status).toBe('active');
  });

  test('can open a link that another browser opened before, and complete it', async () => {
    const { link } = await beginConnection('oura');
    const jar = new CookieJar();
    const authorize = redirectLocation(await openPage(world().system, link, jar));
    const back = await openPage(world().system, await world().fakeProvider.consent(authorize, 'a'), jar);
    expect(back.status).toBe(200);
  });

  test('receives a cookie that is HttpOnly and SameSite, and lasts as long as a link', async () => {
    const { body } = await world().system.call('POST', `/v1/users/${await world().user()}/devices`, {
      token: world().key,
      body: { provider: 'oura' },
    });
    const response = await openPage(world().system, body.auth_url, new CookieJar());
    const [cookie = ''] = response.headers.getSetCookie();
    const [pair = '', ...attributes] = cookie.split('; ');
    expect(pair).toMatch(/^daybook_connect=[\w-]{22}$/);
    expect(attributes).toEqual(['Path=/', 'Max-Age=900', 'HttpOnly', 'SameSite=Lax']);
    expect(redirectLocation(response)).not.toContain(pair.slice('daybook_connect='.length));
  });

  test('over https receives a cookie that no other host can set and that is only sent over https', () => {
    const nonce = 'n'.repeat(22);
    const cookie = buildBrowserCookie(nonce, 'https://day.example');
    expect(cookie).toBe(`__Host-daybook_connect=${nonce}; Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure`);
    expect(readBrowserNonce(`a=b; __Host-daybook_connect=${nonce}`, 'https://day.example')).toBe(nonce);
    expect(readBrowserNonce(`daybook_connect=${nonce}`, 'https://day.example')).toBeUndefined();
    expect(readBrowserNonce('__Host-daybook_connect=short', 'https://day.example')).toBeUndefined();
    expect(readBrowserNonce(undefined, 'http://localhost:8787')).toBeUndefined();
  });
});

test('Garmin, Google Health and WHOOP support PKCE', () => {
  expect(cloudProviderIds.filter((id) => providerDescriptors[id].oauth.pkce).toSorted()).toEqual([
    'garmin',
    'google_health',
    'whoop',
  ]);
});
