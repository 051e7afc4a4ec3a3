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
import { printLog } from '../harness/print-log.ts';
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

/** Expects that no token or account of the provider is stored for the user. */
async function expectNothingStored(user: string): Promise<void> {
  for (const row of await listConnections(world.system, user)) {
    expect([row.status, row.grant, row.providerAccount]).toEqual(['pending', null, null]);
  }
}

describe('a user who consents', () => {
  test('sees a confirmation page, and the device is connected with one event', async () => {
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

  test('leaves no code, state or token on the page, in a cache or in the log', async () => {
    const user = await world.user();
    const { callback } = await world.consent(user, 'oura', 'account-2');
    const result = await openPage(world.system, callback);
    const { searchParams } = new URL(callback);
    const written = result.text + JSON.stringify([...result.headers]) + printLog(world.system.log);
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
  test('redirects to the provider, however often it is opened, and consumes nothing', async () => {
    const user = await world.user();
    const { device, link } = await requestConnection(user);
    const headResponse = await fetch(link, { method: 'HEAD', redirect: 'manual' });
    expect(headResponse.status).toBe(302);
    const [first, second] = [await openPage(world.system, link), await openPage(world.system, link)];
    const withoutState = (result: ApiResponse) => redirectLocation(result).replace(/state=[^&]+/, '');
    expect([first.status, withoutState(first)]).toEqual([302, withoutState(second)]);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(await readDevice(user, device)).toEqual({ status: 'pending', error: null });
    const callback = await world.fakeProvider.consent(redirectLocation(second), 'account-3');
    expect((await openPage(world.system, callback)).status).toBe(200);
  });

  test('after 15 minutes shows that it has expired, and the device is marked as failed', async () => {
    const user = await world.user();
    const { device, link } = await requestConnection(user);
    world.system.clock.advance(15 * 60_000);
    const result = await openPage(world.system, link);
    expect([result.status, headingOf(result)]).toEqual([410, 'This link has expired']);
    expect(await readDevice(user, device)).toEqual({ status: 'failed', error: 'link_expired' });
  });

  test('that was used shows that it was used', async () => {
    const user = await world.user();
    const { link } = await requestConnection(user);
    await openPage(
      world.system,
      await world.fakeProvider.consent(redirectLocation(await openPage(world.system, link)), 'account-4'),
    );
    const result = await openPage(world.system, link);
    expect([result.status, headingOf(result)]).toEqual([410, 'This link has already been used']);
  });

  test('that is unknown or was tampered with shows that it does not work', async () => {
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
  /** Returns the callback that the user's browser opens. */
  makeCallback(user: string, more?: object): Promise<{ device: string; callback: string }>;
  status: number;
  heading: string;
  error: string;
  /** The number of token requests that the provider receives. */
  tokenRequests: number;
}

const failingCallbacks: FailingCallback[] = [
  {
    name: 'who declines',
    makeCallback: (user, more) => world.consent(user, 'oura', null, more),
    status: 403,
    heading: 'Oura was not connected',
    error: 'access_denied',
    tokenRequests: 0,
  },
  {
    name: 'who returns too late',
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
    name: 'who returns to the callback of another provider',
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
    name: 'whose code is rejected',
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
    name: 'who returns without a code',
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
    name: 'whose provider is unavailable',
    makeCallback(user, more) {
      world.fakeProvider.fault(isTokenRequest('oura'), internalError, 1);
      return world.consent(user, 'oura', 'away', more);
    },
    status: 502,
    heading: 'Oura is not responding',
    error: 'provider_unavailable',
    tokenRequests: 1,
  },
  {
    name: 'whose provider does not recognize this deployment',
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

describe.each(failingCallbacks)('a user $name', ({ makeCallback, status, heading, error, tokenRequests }) => {
  test('sees a clear page, nothing is stored, and the device is marked as failed', async () => {
    const user = await world.user();
    const { device, callback } = await makeCallback(user);
    const before = countTokenRequests();
    const result = await openPage(world.system, callback);
    expect([result.status, headingOf(result)]).toEqual([status, heading]);
    expect(result.text).toMatch(/Nothing was shared|nothing was shared/);
    expect(await readDevice(user, device)).toEqual({ status: 'failed', error });
    expect(await listConnections(world.system, user)).toEqual([]);
    expect(countTokenRequests() - before).toBe(tokenRequests);
    const again = await openPage(world.system, callback);
    expect([again.status, countTokenRequests() - before]).toEqual([404, tokenRequests]);
  });

  test('returns to the app with the reason for the failure', async () => {
    const user = await world.user();
    const { device, callback } = await makeCallback(user, {
      redirect_url: 'https://app.example.com/back?tab=a%20b&status=mine&x#top',
    });
    const result = await openPage(world.system, callback);
    expect([result.status, redirectLocation(result)]).toEqual([
      302,
      `https://app.example.com/back?tab=a%20b&x&status=error&device_id=${device}&error=${error}#top`,
    ]);
  });
});

describe('a callback', () => {
  test('that arrives twice exchanges the code once, and the device stays connected', async () => {
    const user = await world.user();
    const { device, callback } = await world.consent(user, 'oura', 'account-5');
    const before = countTokenRequests();
    expect((await openPage(world.system, callback)).status).toBe(200);
    const again = await openPage(world.system, callback);
    expect([again.status, headingOf(again)]).toEqual([410, 'This link has already been used']);
    expect(countTokenRequests() - before).toBe(1);
    expect(await readDevice(user, device)).toEqual({ status: 'active', error: null });
  });

  test('that arrives ten times concurrently connects once', async () => {
    const user = await world.user();
    const { device, callback } = await world.consent(user, 'oura', 'account-6');
    const before = countTokenRequests();
    const result = await Promise.all(Array.from({ length: 10 }, () => openPage(world.system, callback)));
    expect(result.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(410)]);
    expect(countTokenRequests() - before).toBe(1);
    expect(await readDevice(user, device)).toEqual({ status: 'active', error: null });
  });

  test('that repeats its state or code is rejected with a page, and consumes nothing', async () => {
    const user = await world.user();
    const { device, callback } = await world.consent(user, 'oura', 'account-13');
    const { pathname, search, searchParams } = new URL(callback);
    for (const name of ['state', 'code']) {
      const twice = `${pathname}${search}&${name}=${searchParams.get(name)}`;
      const result = await world.system.call('GET', twice, { headers: { accept: 'text/html' } });
      expect([result.status, headingOf(result)]).toEqual([400, 'This request is not valid']);
    }
    expect(await readDevice(user, device)).toEqual({ status: 'pending', error: null });
    expect((await openPage(world.system, callback)).status).toBe(200);
  });

  test('without a state, or with an altered one, changes nothing', async () => {
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

  test('for a user who has been deleted in the meantime stores nothing', async () => {
    const user = await world.user();
    const { callback } = await world.consent(user, 'oura', 'account-8');
    await world.system.call('DELETE', `/v1/users/${user}`, { token: world.key });
    const before = countTokenRequests();
    const result = await openPage(world.system, callback);
    expect([result.status, headingOf(result)]).toEqual([404, 'This link does not work']);
    expect(countTokenRequests()).toBe(before);
    await expectNothingStored(user);
  });

  test('with the state of another tenant connects that tenant’s device and no other', async () => {
    const otherAccount = await world.system.account();
    const theirs = await world.system.user(otherAccount.live_key);
    const { body } = await world.system.call('POST', `/v1/users/${theirs}/devices`, {
      token: otherAccount.live_key,
      body: { provider: 'oura' },
    });
    const mine = await world.user();
    const { device } = await requestConnection(mine);
    await openPage(
      world.system,
      await world.fakeProvider.consent(redirectLocation(await openPage(world.system, body.auth_url)), 'x'),
    );
    expect(await readDevice(mine, device)).toEqual({ status: 'pending', error: null });
    expect(await readDeviceState(world.system, otherAccount.live_key, theirs, body.id)).toEqual({
      status: 'active',
      error: null,
    });
  });

  test('returns to the app with its query and fragment unchanged', async () => {
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
