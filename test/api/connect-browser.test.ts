// A connection ends in the browser that it began in, and a code in the state that it was given for.
import { describe, expect, test } from 'vitest';
import { buildBrowserCookie, readBrowserNonce } from '../../functions/api/connect/browser-cookie.ts';
import { cloudProviderIds } from '../../shared/catalog/provider.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import { CookieJar } from '../harness/browser.ts';
import { openPage, redirectLocation } from '../harness/connect-steps.ts';
import { beginAndConsent, beginConnection, openWorld, readDevice, testBrowserBinding } from './browser-binding.ts';

const world = openWorld();

// One without PKCE, and one that takes it.
testBrowserBinding(['withings', 'garmin']);

describe('a callback', () => {
  test('whose state is that of the link itself, which everybody has who was sent it, does not work', async () => {
    const { link, callback, jar } = await beginAndConsent('oura', 'ann');
    const url = new URL(callback);
    url.searchParams.set('state', link.slice(link.lastIndexOf('/') + 1));
    expect((await openPage(world().system, url.href, jar)).status).toBe(404);
  });
});

describe('a browser', () => {
  test('may have several links open at once, and finish them in any order', async () => {
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

  test('may open a link that another has opened before, and finish', async () => {
    const { link } = await beginConnection('oura');
    const jar = new CookieJar();
    const authorize = redirectLocation(await openPage(world().system, link, jar));
    const back = await openPage(world().system, await world().fakeProvider.consent(authorize, 'a'), jar);
    expect(back.status).toBe(200);
  });

  test('is given a cookie that scripts and other sites’ requests do not have, for as long as a link lives', async () => {
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

  test('over https has one that no other host can set, and that goes over https only', () => {
    const nonce = 'n'.repeat(22);
    const cookie = buildBrowserCookie(nonce, 'https://day.example');
    expect(cookie).toBe(`__Host-daybook_connect=${nonce}; Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure`);
    expect(readBrowserNonce(`a=b; __Host-daybook_connect=${nonce}`, 'https://day.example')).toBe(nonce);
    expect(readBrowserNonce(`daybook_connect=${nonce}`, 'https://day.example')).toBeUndefined();
    expect(readBrowserNonce('__Host-daybook_connect=short', 'https://day.example')).toBeUndefined();
    expect(readBrowserNonce(undefined, 'http://localhost:8787')).toBeUndefined();
  });
});

test('Garmin, Google Health and WHOOP take PKCE', () => {
  expect(cloudProviderIds.filter((id) => providerDescriptors[id].oauth.pkce).toSorted()).toEqual([
    'garmin',
    'google_health',
    'whoop',
  ]);
});
