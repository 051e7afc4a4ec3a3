// In the sandbox every provider can be connected over HTTP, without internet access.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloudProviderIds } from '../../shared/catalog/provider.ts';
import { getProviderLabel } from '../../shared/providers/provider-label.ts';
import { consentInBrowser, followCallback } from '../harness/sandbox-consent-flow.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
let key: string;
/** One user who allows every connection and one who denies every connection. */
let [allowing, refusing] = ['', ''];
beforeAll(async () => {
  system = await startSystem();
  key = (await system.account()).sandbox_key;
  [allowing, refusing] = [await system.user(key), await system.user(key)];
  // A new user gets a ring, which would replace one that is connected at the same time.
  await system.host.drain();
});
afterAll(() => system.stop());

const deviceOf = async (user: string, id: string) => {
  const devices: { id: string }[] = (await system.call('GET', `/v1/users/${user}/devices`, { token: key })).body.data;
  return devices.find((each) => each.id === id);
};

describe.each(cloudProviderIds)('%s', (provider) => {
  test('is connected when the user allows it', async () => {
    const walk = await consentInBrowser(system, key, allowing, provider);
    expect(walk.page).toContain(`Share ${getProviderLabel(provider)} data with this app?`);
    expect((await followCallback(walk)).status).toBe(200);
    expect(await deviceOf(allowing, walk.device)).toMatchObject({ provider, status: 'active', error: null });
  });

  test('is not connected when the user denies it', async () => {
    const walk = await consentInBrowser(system, key, refusing, provider, { decision: 'deny' });
    await followCallback(walk);
    expect(await deviceOf(refusing, walk.device)).toMatchObject({ status: 'failed', error: 'access_denied' });
  });
});
