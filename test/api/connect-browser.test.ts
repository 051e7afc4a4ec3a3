// A connection ends in the browser that it began in, and a code in the state that it was given for.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserCookie, browserIn } from '../../functions/api/connect/browser.ts';
import { type CloudProviderId, cloudProviderIds } from '../../shared/model/provider.ts';
import { providers } from '../../shared/providers/catalog.ts';
import { CookieJar } from '../harness/browser.ts';
import { type Connected, startConnected } from '../harness/connected.ts';
import { connectionsOf, headingOf, locationIn, opened, shownDevice } from '../harness/connecting.ts';
import { walkBack, walkToConsent } from '../harness/sandbox-walk.ts';

let world: Connected;
beforeAll(async () => {
  world = await startConnected();
});
afterAll(() => world.stop());

const swaps = () => world.vendor.requests.filter(({ form }) => 'code' in form).length;

/** Of a person in a browser of their own, up to the provider's page. */
async function began(provider: CloudProviderId, jar = new CookieJar()) {
  const user = await world.user();
  const { body } = await world.system.call('POST', `/v1/users/${user}/devices`, {
    token: world.key,
    body: { provider },
  });
  const authorize = locationIn(await opened(world.system, body.auth_url, jar));
  return { user, device: body.id as string, link: body.auth_url as string, authorize, jar };
}
const agreed = async (provider: CloudProviderId, account: string, jar?: CookieJar) => {
  const begun = await began(provider, jar);
  return { ...begun, callback: await world.vendor.consent(begun.authorize, account) };
};
const shown = ({ user, device }: { user: string; device: string }) =>
  shownDevice(world.system, world.key, user, device);

/** The address with what another one has of this name. */
function swapped(name: string, address: string, from: string): string {
  const url = new URL(address);
  url.searchParams.set(name, new URL(from).searchParams.get(name) ?? '');
  return url.href;
}

describe('a callback', () => {
  test.each(cloudProviderIds)('of %s in a browser that did not begin is refused, and nothing is stored', async (id) => {
    const victim = await agreed(id, '1001');
    const before = swaps();
    for (const stranger of [new CookieJar(), (await began(id)).jar]) {
      const told = await opened(world.system, victim.callback, stranger);
      expect([told.status, headingOf(told)]).toEqual([403, 'Finish in the browser you began in']);
    }
    expect(swaps()).toBe(before);
    const rows = await connectionsOf(world.system, victim.user);
    expect(rows.map(({ status, grant }) => [status, grant])).toEqual([['awaited', null]]);
    expect((await opened(world.system, victim.callback, victim.jar)).status).toBe(200);
    expect(await shown(victim)).toEqual({ status: 'active', error: null });
  });

  test.each(cloudProviderIds)('of %s with the code of another person’s link is refused', async (id) => {
    const [attacker, victim] = [await agreed(id, '1002'), await agreed(id, '1001')];
    const before = swaps();
    // The attacker's code with the victim's state where the attacker is, and the attacker's own
    // address where the victim is.
    const tries: [string, CookieJar][] = [
      [swapped('code', victim.callback, attacker.callback), attacker.jar],
      [attacker.callback, victim.jar],
    ];
    for (const [address, jar] of tries) expect((await opened(world.system, address, jar)).status).toBe(403);
    expect(swaps()).toBe(before);
    for (const each of [attacker, victim]) expect((await shown(each))?.status).toBe('pending');
  });

  test.each(cloudProviderIds.filter((id) => providers[id].oauth.pkce))(
    'of %s, which takes PKCE, with the code of another link is refused in the same browser too',
    async (id) => {
      const jar = new CookieJar();
      const [one, other] = [await agreed(id, '1003', jar), await agreed(id, '1004', jar)];
      const told = await opened(world.system, swapped('code', one.callback, other.callback), jar);
      expect(told.status).toBe(400);
      expect(await shown(one)).toEqual({ status: 'failed', error: 'code_refused' });
    },
  );

  test('whose state is that of the link itself, which everybody has who was sent it, does not work', async () => {
    const { link, callback, jar } = await agreed('oura', 'ann');
    const url = new URL(callback);
    url.searchParams.set('state', link.slice(link.lastIndexOf('/') + 1));
    expect((await opened(world.system, url.href, jar)).status).toBe(404);
  });
});

test.each(cloudProviderIds)('in the sandbox, the code of one link of %s is refused in another', async (id) => {
  const { system, sandboxKey: key } = world;
  const user = await system.user(key);
  const [one, other] = [await walkToConsent(system, key, user, id), await walkToConsent(system, key, user, id)];
  const told = await walkBack({ ...one, callback: swapped('code', one.callback, other.callback) });
  expect(told.status).toBe(400);
  expect(await shownDevice(system, key, user, one.device)).toEqual({ status: 'failed', error: 'code_refused' });
  expect((await shownDevice(system, key, user, other.device))?.status).toBe('pending');
});

describe('a browser', () => {
  test('may have several links open at once, and finish them in any order', async () => {
    const jar = new CookieJar();
    const links = [await agreed('oura', '1', jar), await agreed('whoop', '2', jar), await agreed('polar', '3', jar)];
    for (const { callback } of links.toReversed()) expect((await opened(world.system, callback, jar)).status).toBe(200);
    for (const link of links) expect((await shown(link))?.status).toBe('active');
  });

  test('may open a link that another has opened before, and finish', async () => {
    const { link } = await began('oura');
    const jar = new CookieJar();
    const authorize = locationIn(await opened(world.system, link, jar));
    const back = await opened(world.system, await world.vendor.consent(authorize, 'a'), jar);
    expect(back.status).toBe(200);
  });

  test('is given a cookie that scripts and other sites’ requests do not have, for as long as a link lives', async () => {
    const { body } = await world.system.call('POST', `/v1/users/${await world.user()}/devices`, {
      token: world.key,
      body: { provider: 'oura' },
    });
    const told = await opened(world.system, body.auth_url, new CookieJar());
    const [cookie = ''] = told.headers.getSetCookie();
    const [pair = '', ...attributes] = cookie.split('; ');
    expect(pair).toMatch(/^daybook_connect=[\w-]{22}$/);
    expect(attributes).toEqual(['Path=/', 'Max-Age=900', 'HttpOnly', 'SameSite=Lax']);
    expect(locationIn(told)).not.toContain(pair.slice('daybook_connect='.length));
  });

  test('over https has one that no other host can set, and that goes over https only', () => {
    const nonce = 'n'.repeat(22);
    const cookie = browserCookie(nonce, 'https://day.example');
    expect(cookie).toBe(`__Host-daybook_connect=${nonce}; Path=/; Max-Age=900; HttpOnly; SameSite=Lax; Secure`);
    expect(browserIn(`a=b; __Host-daybook_connect=${nonce}`, 'https://day.example')).toBe(nonce);
    expect(browserIn(`daybook_connect=${nonce}`, 'https://day.example')).toBeUndefined();
    expect(browserIn('__Host-daybook_connect=short', 'https://day.example')).toBeUndefined();
    expect(browserIn(undefined, 'http://localhost:8787')).toBeUndefined();
  });
});

test.each(cloudProviderIds)('%s is sent a PKCE challenge only if it takes one', async (id) => {
  const { searchParams } = new URL((await began(id)).authorize);
  const { pkce } = providers[id].oauth;
  expect([searchParams.get('code_challenge_method'), searchParams.get('code_challenge')?.length]).toEqual(
    pkce ? ['S256', 43] : [null, undefined],
  );
});

test('Garmin, Google Health and WHOOP take PKCE', () => {
  expect(cloudProviderIds.filter((id) => providers[id].oauth.pkce).toSorted()).toEqual([
    'garmin',
    'google_health',
    'whoop',
  ]);
});
