// In the sandbox each of the vendors can be linked, over HTTP and without the internet.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cloudProviderIds } from '../../shared/model/provider.ts';
import { providers } from '../../shared/providers/catalog.ts';
import { walkBack, walkToConsent } from '../harness/sandbox-walk.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
let key: string;
beforeAll(async () => {
  system = await startSystem();
  key = (await system.account()).sandbox_key;
});
afterAll(() => system.stop());

const devicesOf = async (user: string): Promise<{ id: string }[]> =>
  (await system.call('GET', `/v1/users/${user}/devices`, { token: key })).body.data;
const deviceOf = async (user: string, id: string) => (await devicesOf(user)).find((each) => each.id === id);
/** A new user is being given a ring, which would take the place of one that is linked at the same moment. */
async function settledUser(): Promise<string> {
  const user = await system.user(key);
  await vi.waitFor(async () => expect(await devicesOf(user)).toHaveLength(2), { timeout: 20_000, interval: 50 });
  return user;
}

describe.each(cloudProviderIds)('%s', (provider) => {
  test('is linked where the person allows it', async () => {
    const user = await settledUser();
    const walk = await walkToConsent(system, key, user, provider);
    expect(walk.page).toContain(`Share ${providers[provider].name} data with this app?`);
    expect((await walkBack(walk)).status).toBe(200);
    expect(await deviceOf(user, walk.device)).toMatchObject({ provider, status: 'active', error: null });
  });

  test('is not where the person refuses', async () => {
    const user = await system.user(key);
    const walk = await walkToConsent(system, key, user, provider, { decision: 'deny' });
    await walkBack(walk);
    expect(await deviceOf(user, walk.device)).toMatchObject({ status: 'failed', error: 'access_denied' });
  });
});
