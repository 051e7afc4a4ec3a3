import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { jsonProviderResponse } from '../../shared/sandbox/simulated-providers/simulator.ts';
import {
  headingOf,
  listConnections,
  listEventTypes,
  openPage,
  readDeviceState,
  redirectLocation,
} from '../harness/connect-steps.ts';
import { internalError } from '../harness/fake-provider-server.ts';
import { type ProviderSystem, startProviderSystem } from '../harness/provider-system.ts';
import type { ApiResponse } from '../harness/send-request.ts';

let world: ProviderSystem;

beforeAll(async () => {
  world = await startProviderSystem();
});
afterAll(() => world.stop());

const requestConnection = async (user: string, more: object = {}) => {
  const { body } = await world.system.call('POST', `/v1/users/${user}/devices`, {
    token: world.key,
    body: { provider: 'oura', ...more },
  });
  return { device: body.id as string, link: body.auth_url as string };
};
const isTokenRequest = (provider: CloudProviderId) => (call: { provider: string; form: object }) =>
  call.provider === provider && 'code' in call.form;
const countTokenRequests = () => world.fakeProvider.requests.filter(isTokenRequest('oura')).length;
const readDevice = (user: string, device: string) => readDeviceState(world.system, world.key, user, device);

/** Nothing of the person's account is kept, and the vendor was not asked for it. */
async function expectNothingStored(user: string): Promise<void> {
  for (const row of await listConnections(world.system, user)) {
    expect([row.status, row.grant, row.providerAccount]).toEqual(['awaited', null, null]);
  }
}

describe('a person who agrees', () => {
  test('is told so on a page, and the device is connected with one event', async () => {
    const user = await world.user();
    const before = await listEventTypes(world.system, world.key);
    const { device, callback } = await world.consent(user, 'oura', 'account-1');
    const result = await openPage(world.system, callback);
    expect([result.status, headingOf(result)]).toEqual([200, 'Oura is connected']);
    expect(await readDevice(user, device)).toEqual({ status: 'active', error: null });
    const after = await listEventTypes(world.system, world.key);
    const connected = (types: string[]) => types.filter((type) => type === 'device.connected').length;
    expect(connected(after) - connected(before)).toBe(1);
  });

  test('leaves no code, state or token behind: not on the page, not in a cache, not in the log', async () => {
    const user = await world.user();
    const { callback } = await world.consent(user, 'oura', 'account-2');
    const result = await openPage(world.system, callback);
    const { searchParams } = new URL(callback);
    const written = result.text + JSON.stringify([...result.headers]) + JSON.stringify(world.system.log);
    for (const name of ['code', 'state']) {
      const value = searchParams.get(name) ?? '';
      expect(value.length).toBeGreaterThan(20);
      expect(written).not.toContain(value);
    }
    expect(result.headers.get('cache-control')).toBe('no-store');
    expect(result.headers.get('referrer-policy')).toBe('no-referrer');
    expect(result.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors 'none'$/,
    );
    expect(result.text).not.toMatch(/<script|\son\w+=|\sstyle=/i);
  });
});

describe('opening a link', () => {
  test('leads to the vendor, as often as it is opened, and uses nothing up', async () => {
    const user = await world.user();
    const { device, link } = await requestConnection(user);
    const looked = await fetch(link, { method: 'HEAD', redirect: 'manual' });
    expect(looked.status).toBe(302);
    const [first, second] = [await openPage(world.system, link), await openPage(world.system, link)];
    const withoutState = (result: ApiResponse) => redirectLocation(result).replace(/state=[^&]+/, '');
    expect([first.status, withoutState(first)]).toEqual([302, withoutState(second)]);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(await readDevice(user, device)).toEqual({ status: 'pending', error: null });
    const callback = await world.fakeProvider.consent(redirectLocation(second), 'account-3');
    expect((await openPage(world.system, callback)).status).toBe(200);
  });

  test('after a quarter of an hour says that it has expired, and the device has failed', async () => {
    const user = await world.user();
    const { device, link } = await requestConnection(user);
    world.system.clock.advance(15 * 60_000);
    const result = await openPage(world.system, link);
    expect([result.status, headingOf(result)]).toEqual([410, 'This link has expired']);
    expect(await readDevice(user, device)).toEqual({ status: 'failed', error: 'link_expired' });
  });

  test('that was used says so', async () => {
    const user = await world.user();
    const { link } = await requestConnection(user);
    await openPage(
      world.system,
      await world.fakeProvider.consent(redirectLocation(await openPage(world.system, link)), 'account-4'),
    );
    const result = await openPage(world.system, link);
    expect([result.status, headingOf(result)]).toEqual([410, 'This link was used before']);
  });

  test('that nobody made, or that was altered, says that it does not work', async () => {
    const { link } = await requestConnection(await world.user());
    const altered = link.slice(0, -2) + (link.endsWith('AA') ? 'BB' : 'AA');
    for (const url of [altered, `${new URL(link).origin}/connect/nothing`]) {
      const result = await openPage(world.system, url);
      expect([result.status, headingOf(result)]).toEqual([404, 'This link does not work']);
    }
  });

  test('leads back to the app when it has expired', async () => {
    const { link, device } = await requestConnection(await world.user(), {
      redirect_url: 'https://app.example.com/done',
    });
    world.system.clock.advance(15 * 60_000);
    const result = await openPage(world.system, link);
    expect(result.text).toContain(
      `href="https://app.example.com/done?status=error&amp;device_id=${device}&amp;error=link_expired"`,
    );
  });
});

interface FailingCallback {
  name: string;
  /** What the person's browser comes back with. */
  makeCallback(user: string, more?: object): Promise<{ device: string; callback: string }>;
  status: number;
  heading: string;
  error: string;
  /** Requests for a token that the vendor saw. */
  tokenRequests: number;
}

const failingCallbacks: FailingCallback[] = [
  {
    name: 'who refuses',
    makeCallback: (user, more) => world.consent(user, 'oura', null, more),
    status: 403,
    heading: 'Oura was not connected',
    error: 'access_denied',
    tokenRequests: 0,
  },
  {
    name: 'who comes back too late',
    async makeCallback(user, more) {
      const consented = await world.consent(user, 'oura', 'late', more);
      world.system.clock.advance(15 * 60_000);
      return consented;
    },
    status: 410,
    heading: 'This link has expired',
    error: 'link_expired',
    tokenRequests: 0,
  },
  {
    name: 'who comes back from another provider',
    async makeCallback(user, more) {
      const { device, callback } = await world.consent(user, 'oura', 'astray', more);
      return { device, callback: callback.replace('/callback/oura', '/callback/withings') };
    },
    status: 400,
    heading: 'Oura was not connected',
    error: 'wrong_provider',
    tokenRequests: 0,
  },
  {
    name: 'whose code is refused',
    makeCallback(user, more) {
      world.fakeProvider.fault(isTokenRequest('oura'), 'dead', 1);
      return world.consent(user, 'oura', 'refused', more);
    },
    status: 400,
    heading: 'Oura was not connected',
    error: 'code_refused',
    tokenRequests: 1,
  },
  {
    name: 'who comes without a code',
    async makeCallback(user, more) {
      const { device, callback } = await world.consent(user, 'oura', 'no-code', more);
      return { device, callback: callback.replace(/code=[^&]+&/, '') };
    },
    status: 403,
    heading: 'Oura was not connected',
    error: 'access_denied',
    tokenRequests: 0,
  },
  {
    name: 'whose vendor is away',
    makeCallback(user, more) {
      world.fakeProvider.fault(isTokenRequest('oura'), internalError, 1);
      return world.consent(user, 'oura', 'away', more);
    },
    status: 502,
    heading: 'Oura is not answering',
    error: 'provider_unavailable',
    tokenRequests: 1,
  },
  {
    name: 'whose vendor does not know this deployment',
    makeCallback(user, more) {
      world.fakeProvider.fault(isTokenRequest('oura'), jsonProviderResponse({ error: 'invalid_client' }, 401), 1);
      return world.consent(user, 'oura', 'stranger', more);
    },
    status: 503,
    heading: 'Oura cannot be connected right now',
    error: 'not_configured',
    tokenRequests: 1,
  },
];

describe.each(failingCallbacks)(
  'a person $name',
  ({ makeCallback: come, status, heading, error, tokenRequests: swaps }) => {
    test('sees a clear page, nothing is stored, and the device has failed', async () => {
      const user = await world.user();
      const { device, callback } = await come(user);
      const before = countTokenRequests();
      const result = await openPage(world.system, callback);
      expect([result.status, headingOf(result)]).toEqual([status, heading]);
      expect(result.text).toMatch(/Nothing was shared|nothing was shared/);
      expect(await readDevice(user, device)).toEqual({ status: 'failed', error });
      expect(await listConnections(world.system, user)).toEqual([]);
      expect(countTokenRequests() - before).toBe(swaps);
      const again = await openPage(world.system, callback);
      expect([again.status, countTokenRequests() - before]).toEqual([404, swaps]);
    });

    test('returns to the app that sent them, which is told why', async () => {
      const user = await world.user();
      const { device, callback } = await come(user, {
        redirect_url: 'https://app.example.com/back?tab=a%20b&status=mine&x#top',
      });
      const result = await openPage(world.system, callback);
      expect([result.status, redirectLocation(result)]).toEqual([
        302,
        `https://app.example.com/back?tab=a%20b&x&status=error&device_id=${device}&error=${error}#top`,
      ]);
    });
  },
);

describe('a callback', () => {
  test('that comes twice swaps the code once, and the device stays connected', async () => {
    const user = await world.user();
    const { device, callback } = await world.consent(user, 'oura', 'account-5');
    const before = countTokenRequests();
    expect((await openPage(world.system, callback)).status).toBe(200);
    const again = await openPage(world.system, callback);
    expect([again.status, headingOf(again)]).toEqual([410, 'This link was used before']);
    expect(countTokenRequests() - before).toBe(1);
    expect(await readDevice(user, device)).toEqual({ status: 'active', error: null });
  });

  test('that comes ten times at once connects once', async () => {
    const user = await world.user();
    const { device, callback } = await world.consent(user, 'oura', 'account-6');
    const before = countTokenRequests();
    const result = await Promise.all(Array.from({ length: 10 }, () => openPage(world.system, callback)));
    expect(result.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(410)]);
    expect(countTokenRequests() - before).toBe(1);
    expect(await readDevice(user, device)).toEqual({ status: 'active', error: null });
  });

  test('that names its state or its code twice is a page that makes no sense, and uses nothing up', async () => {
    const user = await world.user();
    const { device, callback } = await world.consent(user, 'oura', 'account-13');
    const { pathname, search, searchParams } = new URL(callback);
    for (const name of ['state', 'code']) {
      const twice = `${pathname}${search}&${name}=${searchParams.get(name)}`;
      const result = await world.system.call('GET', twice, { headers: { accept: 'text/html' } });
      expect([result.status, headingOf(result)]).toEqual([400, 'This request does not make sense to us']);
    }
    expect(await readDevice(user, device)).toEqual({ status: 'pending', error: null });
    expect((await openPage(world.system, callback)).status).toBe(200);
  });

  test('without a state, or with one that was altered, changes nothing', async () => {
    const user = await world.user();
    const { device, callback } = await world.consent(user, 'oura', 'account-7');
    const { origin, searchParams } = new URL(callback);
    const code = searchParams.get('code') ?? '';
    const state = searchParams.get('state') ?? '';
    const altered = state.slice(0, -2) + (state.endsWith('AA') ? 'BB' : 'AA');
    const before = countTokenRequests();
    for (const query of [`code=${code}`, `code=${code}&state=`, `code=${code}&state=${altered}`, '']) {
      const result = await openPage(world.system, `${origin}/connect/callback/oura?${query}`);
      expect([query, result.status, headingOf(result)]).toEqual([query, 404, 'This link does not work']);
    }
    expect(countTokenRequests()).toBe(before);
    await expectNothingStored(user);
    expect(await readDevice(user, device)).toEqual({ status: 'pending', error: null });
    expect((await openPage(world.system, callback)).status).toBe(200);
  });

  test('of a user who was deleted meanwhile stores nothing', async () => {
    const user = await world.user();
    const { callback } = await world.consent(user, 'oura', 'account-8');
    await world.system.call('DELETE', `/v1/users/${user}`, { token: world.key });
    const before = countTokenRequests();
    const result = await openPage(world.system, callback);
    expect([result.status, headingOf(result)]).toEqual([404, 'This link does not work']);
    expect(countTokenRequests()).toBe(before);
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
    const { device } = await requestConnection(mine);
    await openPage(
      world.system,
      await world.fakeProvider.consent(redirectLocation(await openPage(world.system, body.auth_url)), 'x'),
    );
    expect(await readDevice(mine, device)).toEqual({ status: 'pending', error: null });
    expect(await readDeviceState(world.system, stranger.live_key, theirs, body.id)).toEqual({
      status: 'active',
      error: null,
    });
  });

  test('returns to the app with its query and fragment as they were', async () => {
    const user = await world.user();
    const home = 'https://app.example.com/back?tab=a%20b&device_id=mine#top';
    const { device, callback } = await world.consent(user, 'oura', 'account-9', { redirect_url: home });
    const result = await openPage(world.system, callback);
    expect([result.status, redirectLocation(result)]).toEqual([
      302,
      `https://app.example.com/back?tab=a%20b&status=connected&device_id=${device}#top`,
    ]);
  });
});
