// A connection ends in the browser that it began in, whichever the provider.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CloudProviderId } from '../../shared/catalog/provider.ts';
import { providers } from '../../shared/providers/catalog.ts';
import { CookieJar } from '../harness/browser.ts';
import { type Connected, startConnected } from '../harness/connected.ts';
import { connectionsOf, headingOf, locationIn, opened, shownDevice } from '../harness/connecting.ts';
import { walkBack, walkToConsent } from '../harness/sandbox-walk.ts';

let world: Connected;

/** The world of a file: one with every provider. */
export function openWorld(): () => Connected {
  beforeAll(async () => {
    world = await startConnected();
  });
  afterAll(() => world.stop());
  return () => world;
}

const swaps = () => world.vendor.requests.filter(({ form }) => 'code' in form).length;

/** Of a person in a browser of their own, up to the provider's page. */
export async function began(provider: CloudProviderId, jar = new CookieJar()) {
  const user = await world.user();
  const { body } = await world.system.call('POST', `/v1/users/${user}/devices`, {
    token: world.key,
    body: { provider },
  });
  const authorize = locationIn(await opened(world.system, body.auth_url, jar));
  return { user, device: body.id as string, link: body.auth_url as string, authorize, jar };
}
export const agreed = async (provider: CloudProviderId, account: string, jar?: CookieJar) => {
  const begun = await began(provider, jar);
  return { ...begun, callback: await world.vendor.consent(begun.authorize, account) };
};
export const shown = ({ user, device }: { user: string; device: string }) =>
  shownDevice(world.system, world.key, user, device);

/** The address with what another one has of this name. */
function swapped(name: string, address: string, from: string): string {
  const url = new URL(address);
  url.searchParams.set(name, new URL(from).searchParams.get(name) ?? '');
  return url.href;
}

export function tryBrowsers(ids: readonly CloudProviderId[]): void {
  describe('a callback', () => {
    test.each(ids)('of %s in a browser that did not begin is refused, and nothing is stored', async (id) => {
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

    test.each(ids)('of %s with the code of another person’s link is refused', async (id) => {
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

    test.each(ids.filter((id) => providers[id].oauth.pkce))(
      'of %s, which takes PKCE, with the code of another link is refused in the same browser too',
      async (id) => {
        const jar = new CookieJar();
        const [one, other] = [await agreed(id, '1003', jar), await agreed(id, '1004', jar)];
        const told = await opened(world.system, swapped('code', one.callback, other.callback), jar);
        expect(told.status).toBe(400);
        expect(await shown(one)).toEqual({ status: 'failed', error: 'code_refused' });
      },
    );
  });

  test.each(ids)('in the sandbox, the code of one link of %s is refused in another', async (id) => {
    const { system, sandboxKey: key } = world;
    const user = await system.user(key);
    const [one, other] = [await walkToConsent(system, key, user, id), await walkToConsent(system, key, user, id)];
    const told = await walkBack({ ...one, callback: swapped('code', one.callback, other.callback) });
    expect(told.status).toBe(400);
    expect(await shownDevice(system, key, user, one.device)).toEqual({ status: 'failed', error: 'code_refused' });
    expect((await shownDevice(system, key, user, other.device))?.status).toBe('pending');
  });

  test.each(ids)('%s is sent a PKCE challenge only if it takes one', async (id) => {
    const { searchParams } = new URL((await began(id)).authorize);
    const { pkce } = providers[id].oauth;
    expect([searchParams.get('code_challenge_method'), searchParams.get('code_challenge')?.length]).toEqual(
      pkce ? ['S256', 43] : [null, undefined],
    );
  });
}
