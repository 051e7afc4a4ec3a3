import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { vendorJson } from '../../shared/sandbox/simulated-providers/shapes.ts';
import type { Told } from '../harness/ask.ts';
import { type Connected, startConnected } from '../harness/connected.ts';
import { connectionsOf, eventTypes, headingOf, locationIn, opened, shownDevice } from '../harness/connecting.ts';
import { broken } from '../harness/vendor-server.ts';

let world: Connected;

beforeAll(async () => {
  world = await startConnected();
});
afterAll(() => world.stop());

const asked = async (user: string, more: object = {}) => {
  const { body } = await world.system.call('POST', `/v1/users/${user}/devices`, {
    token: world.key,
    body: { provider: 'oura', ...more },
  });
  return { device: body.id as string, link: body.auth_url as string };
};
const isToken = (provider: CloudProviderId) => (call: { provider: string; form: object }) =>
  call.provider === provider && 'code' in call.form;
const tokenRequests = () => world.vendor.requests.filter(isToken('oura')).length;
const shown = (user: string, device: string) => shownDevice(world.system, world.key, user, device);

/** Nothing of the person's account is kept, and the vendor was not asked for it. */
async function expectNothingStored(user: string): Promise<void> {
  for (const row of await connectionsOf(world.system, user)) {
    expect([row.status, row.grant, row.vendorAccount]).toEqual(['awaited', null, null]);
  }
}

describe('a person who agrees', () => {
  test('is told so on a page, and the device is connected with one event', async () => {
    const user = await world.user();
    const before = await eventTypes(world.system, world.key);
    const { device, callback } = await world.consented(user, 'oura', 'account-1');
    const told = await opened(world.system, callback);
    expect([told.status, headingOf(told)]).toEqual([200, 'Oura is connected']);
    expect(await shown(user, device)).toEqual({ status: 'active', error: null });
    const after = await eventTypes(world.system, world.key);
    const connected = (types: string[]) => types.filter((type) => type === 'device.connected').length;
    expect(connected(after) - connected(before)).toBe(1);
  });

  test('leaves no code, state or token behind: not on the page, not in a cache, not in the log', async () => {
    const user = await world.user();
    const { callback } = await world.consented(user, 'oura', 'account-2');
    const told = await opened(world.system, callback);
    const { searchParams } = new URL(callback);
    const written = told.text + JSON.stringify([...told.headers]) + JSON.stringify(world.system.log);
    for (const name of ['code', 'state']) {
      const value = searchParams.get(name) ?? '';
      expect(value.length).toBeGreaterThan(20);
      expect(written).not.toContain(value);
    }
    expect(told.headers.get('cache-control')).toBe('no-store');
    expect(told.headers.get('referrer-policy')).toBe('no-referrer');
    expect(told.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
    );
    expect(told.text).not.toMatch(/<script|\son\w+=|\sstyle=/i);
  });
});

describe('opening a link', () => {
  test('leads to the vendor, as often as it is opened, and uses nothing up', async () => {
    const user = await world.user();
    const { device, link } = await asked(user);
    const looked = await fetch(link, { method: 'HEAD', redirect: 'manual' });
    expect(looked.status).toBe(302);
    const [first, second] = [await opened(world.system, link), await opened(world.system, link)];
    const withoutState = (told: Told) => locationIn(told).replace(/state=[^&]+/, '');
    expect([first.status, withoutState(first)]).toEqual([302, withoutState(second)]);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(await shown(user, device)).toEqual({ status: 'pending', error: null });
    const callback = await world.vendor.consent(locationIn(second), 'account-3');
    expect((await opened(world.system, callback)).status).toBe(200);
  });

  test('after a quarter of an hour says that it has expired, and the device has failed', async () => {
    const user = await world.user();
    const { device, link } = await asked(user);
    world.system.clock.advance(15 * 60_000);
    const told = await opened(world.system, link);
    expect([told.status, headingOf(told)]).toEqual([410, 'This link has expired']);
    expect(await shown(user, device)).toEqual({ status: 'failed', error: 'link_expired' });
  });

  test('that was used says so', async () => {
    const user = await world.user();
    const { link } = await asked(user);
    await opened(world.system, await world.vendor.consent(locationIn(await opened(world.system, link)), 'account-4'));
    const told = await opened(world.system, link);
    expect([told.status, headingOf(told)]).toEqual([410, 'This link was used before']);
  });

  test('that nobody made, or that was altered, says that it does not work', async () => {
    const { link } = await asked(await world.user());
    const altered = link.slice(0, -2) + (link.endsWith('AA') ? 'BB' : 'AA');
    for (const url of [altered, `${new URL(link).origin}/connect/nothing`]) {
      const told = await opened(world.system, url);
      expect([told.status, headingOf(told)]).toEqual([404, 'This link does not work']);
    }
  });

  test('leads back to the app when it has expired', async () => {
    const { link, device } = await asked(await world.user(), { redirect_url: 'https://app.example.com/done' });
    world.system.clock.advance(15 * 60_000);
    const told = await opened(world.system, link);
    expect(told.text).toContain(
      `href="https://app.example.com/done?status=error&amp;device_id=${device}&amp;error=link_expired"`,
    );
  });
});

interface Failing {
  name: string;
  /** What the person's browser comes back with. */
  come(user: string, more?: object): Promise<{ device: string; callback: string }>;
  status: number;
  heading: string;
  error: string;
  /** Requests for a token that the vendor saw. */
  swaps: number;
}

const failing: Failing[] = [
  {
    name: 'who refuses',
    come: (user, more) => world.consented(user, 'oura', null, more),
    status: 403,
    heading: 'Oura was not connected',
    error: 'access_denied',
    swaps: 0,
  },
  {
    name: 'who comes back too late',
    async come(user, more) {
      const consented = await world.consented(user, 'oura', 'late', more);
      world.system.clock.advance(15 * 60_000);
      return consented;
    },
    status: 410,
    heading: 'This link has expired',
    error: 'link_expired',
    swaps: 0,
  },
  {
    name: 'who comes back from another provider',
    async come(user, more) {
      const { device, callback } = await world.consented(user, 'oura', 'astray', more);
      return { device, callback: callback.replace('/callback/oura', '/callback/withings') };
    },
    status: 400,
    heading: 'Oura was not connected',
    error: 'wrong_provider',
    swaps: 0,
  },
  {
    name: 'whose code is refused',
    come(user, more) {
      world.vendor.fault(isToken('oura'), 'dead', 1);
      return world.consented(user, 'oura', 'refused', more);
    },
    status: 400,
    heading: 'Oura was not connected',
    error: 'code_refused',
    swaps: 1,
  },
  {
    name: 'who comes without a code',
    async come(user, more) {
      const { device, callback } = await world.consented(user, 'oura', 'no-code', more);
      return { device, callback: callback.replace(/code=[^&]+&/, '') };
    },
    status: 403,
    heading: 'Oura was not connected',
    error: 'access_denied',
    swaps: 0,
  },
  {
    name: 'whose vendor is away',
    come(user, more) {
      world.vendor.fault(isToken('oura'), broken, 1);
      return world.consented(user, 'oura', 'away', more);
    },
    status: 502,
    heading: 'Oura is not answering',
    error: 'provider_unavailable',
    swaps: 1,
  },
  {
    name: 'whose vendor does not know this deployment',
    come(user, more) {
      world.vendor.fault(isToken('oura'), vendorJson({ error: 'invalid_client' }, 401), 1);
      return world.consented(user, 'oura', 'stranger', more);
    },
    status: 503,
    heading: 'Oura cannot be connected right now',
    error: 'not_configured',
    swaps: 1,
  },
];

describe.each(failing)('a person $name', ({ come, status, heading, error, swaps }) => {
  test('sees a clear page, nothing is stored, and the device has failed', async () => {
    const user = await world.user();
    const { device, callback } = await come(user);
    const before = tokenRequests();
    const told = await opened(world.system, callback);
    expect([told.status, headingOf(told)]).toEqual([status, heading]);
    expect(told.text).toMatch(/Nothing was shared|nothing was shared/);
    expect(await shown(user, device)).toEqual({ status: 'failed', error });
    expect(await connectionsOf(world.system, user)).toEqual([]);
    expect(tokenRequests() - before).toBe(swaps);
    const again = await opened(world.system, callback);
    expect([again.status, tokenRequests() - before]).toEqual([404, swaps]);
  });

  test('returns to the app that sent them, which is told why', async () => {
    const user = await world.user();
    const { device, callback } = await come(user, {
      redirect_url: 'https://app.example.com/back?tab=a%20b&status=mine&x#top',
    });
    const told = await opened(world.system, callback);
    expect([told.status, locationIn(told)]).toEqual([
      302,
      `https://app.example.com/back?tab=a%20b&x&status=error&device_id=${device}&error=${error}#top`,
    ]);
  });
});

describe('a callback', () => {
  test('that comes twice swaps the code once, and the device stays connected', async () => {
    const user = await world.user();
    const { device, callback } = await world.consented(user, 'oura', 'account-5');
    const before = tokenRequests();
    expect((await opened(world.system, callback)).status).toBe(200);
    const again = await opened(world.system, callback);
    expect([again.status, headingOf(again)]).toEqual([410, 'This link was used before']);
    expect(tokenRequests() - before).toBe(1);
    expect(await shown(user, device)).toEqual({ status: 'active', error: null });
  });

  test('that comes ten times at once connects once', async () => {
    const user = await world.user();
    const { device, callback } = await world.consented(user, 'oura', 'account-6');
    const before = tokenRequests();
    const told = await Promise.all(Array.from({ length: 10 }, () => opened(world.system, callback)));
    expect(told.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(410)]);
    expect(tokenRequests() - before).toBe(1);
    expect(await shown(user, device)).toEqual({ status: 'active', error: null });
  });

  test('that names its state or its code twice is a page that makes no sense, and uses nothing up', async () => {
    const user = await world.user();
    const { device, callback } = await world.consented(user, 'oura', 'account-13');
    const { pathname, search, searchParams } = new URL(callback);
    for (const name of ['state', 'code']) {
      const twice = `${pathname}${search}&${name}=${searchParams.get(name)}`;
      const told = await world.system.call('GET', twice, { headers: { accept: 'text/html' } });
      expect([told.status, headingOf(told)]).toEqual([400, 'This request does not make sense to us']);
    }
    expect(await shown(user, device)).toEqual({ status: 'pending', error: null });
    expect((await opened(world.system, callback)).status).toBe(200);
  });

  test('without a state, or with one that was altered, changes nothing', async () => {
    const user = await world.user();
    const { device, callback } = await world.consented(user, 'oura', 'account-7');
    const { origin, searchParams } = new URL(callback);
    const code = searchParams.get('code') ?? '';
    const state = searchParams.get('state') ?? '';
    const altered = state.slice(0, -2) + (state.endsWith('AA') ? 'BB' : 'AA');
    const before = tokenRequests();
    for (const query of [`code=${code}`, `code=${code}&state=`, `code=${code}&state=${altered}`, '']) {
      const told = await opened(world.system, `${origin}/connect/callback/oura?${query}`);
      expect([query, told.status, headingOf(told)]).toEqual([query, 404, 'This link does not work']);
    }
    expect(tokenRequests()).toBe(before);
    await expectNothingStored(user);
    expect(await shown(user, device)).toEqual({ status: 'pending', error: null });
    expect((await opened(world.system, callback)).status).toBe(200);
  });

  test('of a user who was deleted meanwhile stores nothing', async () => {
    const user = await world.user();
    const { callback } = await world.consented(user, 'oura', 'account-8');
    await world.system.call('DELETE', `/v1/users/${user}`, { token: world.key });
    const before = tokenRequests();
    const told = await opened(world.system, callback);
    expect([told.status, headingOf(told)]).toEqual([404, 'This link does not work']);
    expect(tokenRequests()).toBe(before);
    await expectNothingStored(user);
  });

  test('with the state of another tenant connects that tenant’s device, and no other', async () => {
    const stranger = await world.system.account();
    const theirs = await world.system.user(stranger.live_key);
    const { body } = await world.system.call('POST', `/v1/users/${theirs}/devices`, {
      token: stranger.live_key,
      body: { provider: 'oura' },
    });
    const mine = await world.user();
    const { device } = await asked(mine);
    await opened(world.system, await world.vendor.consent(locationIn(await opened(world.system, body.auth_url)), 'x'));
    expect(await shown(mine, device)).toEqual({ status: 'pending', error: null });
    expect(await shownDevice(world.system, stranger.live_key, theirs, body.id)).toEqual({
      status: 'active',
      error: null,
    });
  });

  test('returns to the app with its query and fragment as they were', async () => {
    const user = await world.user();
    const home = 'https://app.example.com/back?tab=a%20b&device_id=mine#top';
    const { device, callback } = await world.consented(user, 'oura', 'account-9', { redirect_url: home });
    const told = await opened(world.system, callback);
    expect([told.status, locationIn(told)]).toEqual([
      302,
      `https://app.example.com/back?tab=a%20b&status=connected&device_id=${device}#top`,
    ]);
  });
});
