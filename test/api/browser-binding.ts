// Tests that a connection can only be completed in the browser that started it, for each provider.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { providerDescriptors } from '../../shared/providers/catalog.ts';
import { CookieJar } from '../harness/browser.ts';
import { headingOf, listConnections, openPage, readDeviceState, redirectLocation } from '../harness/connect-steps.ts';
import { type ProviderSystem, startProviderSystem } from '../harness/provider-system.ts';
import { consentInBrowser, followCallback } from '../harness/sandbox-consent-flow.ts';

let world: ProviderSystem;

/** Starts one system with every provider, shared by a test file. */
export function openWorld(): () => ProviderSystem {
  beforeAll(async () => {
    world = await startProviderSystem();
  });
  afterAll(() => world.stop());
  return () => world;
}

const countTokenRequests = () => world.fakeProvider.requests.filter(({ form }) => 'code' in form).length;

/** Starts a connection for a new user in their own browser, up to the provider's page. */
export async function beginConnection(provider: CloudProviderId, jar = new CookieJar()) {
  const user = await world.user();
  const { body } = await world.system.call('POST', `/v1/users/${user}/devices`, {
    token: world.key,
    body: { provider },
  });
  const authorize = redirectLocation(await openPage(world.system, body.auth_url, jar));
  return { user, device: body.id as string, link: body.auth_url as string, authorize, jar };
}
export const beginAndConsent = async (provider: CloudProviderId, account: string, jar?: CookieJar) => {
  const connection = await beginConnection(provider, jar);
  return { ...connection, callback: await world.fakeProvider.consent(connection.authorize, account) };
};
export const readDevice = ({ user, device }: { user: string; device: string }) =>
  readDeviceState(world.system, world.key, user, device);

/** Returns the address with one query parameter replaced by its value in another address. */
function withParameterFrom(name: string, address: string, from: string): string {
  const url = new URL(address);
  url.searchParams.set(name, new URL(from).searchParams.get(name) ?? '');
  return url.href;
}

export function testBrowserBinding(ids: readonly CloudProviderId[]): void {
  describe('a callback', () => {
    test.each(ids)(
      'of %s in a browser that did not start the connection is rejected, and nothing is stored',
      async (id) => {
        const victim = await beginAndConsent(id, '1001');
        const before = countTokenRequests();
        for (const otherJar of [new CookieJar(), (await beginConnection(id)).jar]) {
          const response = await openPage(world.system, victim.callback, otherJar);
          expect([response.status, headingOf(response)]).toEqual([403, 'Finish in the browser you started in']);
        }
        expect(countTokenRequests()).toBe(before);
        const rows = await listConnections(world.system, victim.user);
        expect(rows.map(({ status, grant }) => [status, grant])).toEqual([['pending', null]]);
        expect((await openPage(world.system, victim.callback, victim.jar)).status).toBe(200);
        expect(await readDevice(victim)).toEqual({ status: 'active', error: null });
      },
    );

    test.each(ids)('of %s with the code of another user’s link is rejected', async (id) => {
      const [attacker, victim] = [await beginAndConsent(id, '1002'), await beginAndConsent(id, '1001')];
      const before = countTokenRequests();
      // The attacker's code with the victim's state in the attacker's browser, and the attacker's
      // own callback in the victim's browser.
      const tries: [string, CookieJar][] = [
        [withParameterFrom('code', victim.callback, attacker.callback), attacker.jar],
        [attacker.callback, victim.jar],
      ];
      for (const [address, jar] of tries) expect((await openPage(world.system, address, jar)).status).toBe(403);
      expect(countTokenRequests()).toBe(before);
      for (const each of [attacker, victim]) expect((await readDevice(each))?.status).toBe('pending');
    });

    test.each(ids.filter((id) => providerDescriptors[id].oauth.pkce))(
      'of %s, which supports PKCE, is rejected with the code of another link even in the same browser',
      async (id) => {
        const jar = new CookieJar();
        const [one, other] = [await beginAndConsent(id, '1003', jar), await beginAndConsent(id, '1004', jar)];
        const response = await openPage(world.system, withParameterFrom('code', one.callback, other.callback), jar);
        expect(response.status).toBe(400);
        expect(await readDevice(one)).toEqual({ status: 'failed', error: 'code_refused' });
      },
    );
  });

  test.each(ids)('in the sandbox, the code of one %s link is rejected on another link', async (id) => {
    const { system, sandboxKey: key } = world;
    const user = await system.user(key);
    const [one, other] = [await consentInBrowser(system, key, user, id), await consentInBrowser(system, key, user, id)];
    const response = await followCallback({
      ...one,
      callback: withParameterFrom('code', one.callback, other.callback),
    });
    expect(response.status).toBe(400);
    expect(await readDeviceState(system, key, user, one.device)).toEqual({ status: 'failed', error: 'code_refused' });
    expect((await readDeviceState(system, key, user, other.device))?.status).toBe('pending');
  });

  test.each(ids)('%s receives a PKCE challenge only if it supports PKCE', async (id) => {
    const { searchParams } = new URL((await beginConnection(id)).authorize);
    const { pkce } = providerDescriptors[id].oauth;
    expect([searchParams.get('code_challenge_method'), searchParams.get('code_challenge')?.length]).toEqual(
      pkce ? ['S256', 43] : [null, undefined],
    );
  });
}
