// How a deployment reads provider settings, and where it sends requests to a provider.
import { expect, test } from 'vitest';
import {
  getConfiguredProvider,
  ProviderMisconfigured,
} from '../../../../shared/connections/client/configured-provider.ts';
import { SettingsUnreadable } from '../../../../shared/platform/ports.ts';
import { providerDescriptors } from '../../../../shared/providers/catalog.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';

const requestedOrigins: (readonly string[])[] = [];
const unreachableClient = { send: async () => Promise.reject(new Error('no request is expected')) };
const withSettings = (settings: Record<string, unknown>): Deps => {
  const { deps } = memoryDeps();
  const providerSettings = {
    async get(provider: string) {
      if (settings[provider] instanceof Error) throw settings[provider];
      return settings[provider];
    },
  };
  const egress = {
    guarded: unreachableClient,
    providers: unreachableClient,
    forOrigins: (origins: readonly string[]) => {
      requestedOrigins.push(origins);
      return unreachableClient;
    },
    sandbox: unreachableClient,
  };
  return { ...deps, providerSettings, egress };
};
const good = { client_id: 'id', client_secret: 'secret' };

test('a provider without settings is unavailable in live mode and always available in the sandbox', async () => {
  const deps = withSettings({ whoop: null });
  expect(await getConfiguredProvider(deps, 'whoop', 'live')).toBeUndefined();
  expect(await getConfiguredProvider(deps, 'oura', 'live')).toBeUndefined();
  expect((await getConfiguredProvider(deps, 'oura', 'sandbox'))?.credentials.clientId).toBe('sandbox-oura');
});

test('the error for incomplete settings names the missing field and never shows a value', async () => {
  const failure = async (settings: unknown, provider: 'oura' | 'suunto' = 'oura') => {
    const error: unknown = await getConfiguredProvider(withSettings({ [provider]: settings }), provider, 'live').catch(
      (e) => e,
    );
    expect(error).toBeInstanceOf(ProviderMisconfigured);
    return String(error);
  };
  expect(await failure({ client_id: 'id' })).toContain('client_secret');
  expect(await failure({ client_id: 'id', client_secret: '' })).toContain('client_secret');
  expect(await failure({ client_id: '', client_secret: 'hush' })).not.toContain('hush');
  expect(await failure(good, 'suunto')).toContain('subscription_key');
  expect(await failure({ ...good, subscription_key: 7 }, 'suunto')).toContain('subscription_key');
  expect(await failure(new SettingsUnreadable('The setting DAYBOOK_PROVIDER_OURA is not JSON.'))).toContain('not JSON');
});

test('one origin of a provider can be redirected while its other origins stay reachable', async () => {
  requestedOrigins.length = 0;
  const origins = { 'https://health.googleapis.com': 'http://127.0.0.1:9000/google/' };
  const configured = await getConfiguredProvider(
    withSettings({ google_health: { ...good, subscriber_secret: 's', origins } }),
    'google_health',
    'live',
  );
  expect(configured?.resolveUrl('https://health.googleapis.com/v4/users/me/identity')).toBe(
    'http://127.0.0.1:9000/google/v4/users/me/identity',
  );
  expect(configured?.resolveUrl('https://oauth2.googleapis.com/token')).toBe('https://oauth2.googleapis.com/token');
  const reached = new Set((requestedOrigins[0] ?? []).map((url) => new URL(url).origin));
  expect([...reached]).toEqual(expect.arrayContaining(['http://127.0.0.1:9000', 'https://oauth2.googleapis.com']));
});

test('the number of users a provider may disconnect per hour is a setting with a default', async () => {
  const disconnectLimitOf = async (settings: object) =>
    (await getConfiguredProvider(withSettings({ oura: { ...good, ...settings } }), 'oura', 'live'))?.disconnectsPerHour;
  expect([
    await disconnectLimitOf({}),
    await disconnectLimitOf({ disconnects_per_hour: 0 }),
    await disconnectLimitOf({ disconnects_per_hour: 7 }),
  ]).toEqual([100, 0, 7]);
  for (const wrong of [-1, 1.5, 'many'])
    await expect(disconnectLimitOf({ disconnects_per_hour: wrong })).rejects.toThrow(
      /are invalid.*disconnects_per_hour/s,
    );
});

test('limits granted to this deployment replace the default limits of the provider', async () => {
  const limits = [{ requests: 1000, seconds: 900, per: 'deployment' }];
  const limitsOf = async (settings: object, env: 'live' | 'sandbox' = 'live') =>
    (await getConfiguredProvider(withSettings({ oura: { ...good, ...settings } }), 'oura', env))?.limits;
  expect(await limitsOf({ limits })).toEqual(limits);
  expect(await limitsOf({})).toEqual(providerDescriptors.oura.rateLimits);
  expect(await limitsOf({ limits }, 'sandbox')).toEqual([]);
});

test.each([
  { limits: [] },
  { limits: [{ requests: 0, seconds: 900, per: 'deployment' }] },
  { limits: [{ requests: 10, seconds: 900, per: 'user' }] },
])('invalid limits are rejected: %j', async (wrong) => {
  const failure = getConfiguredProvider(withSettings({ oura: { ...good, ...wrong } }), 'oura', 'live');
  await expect(failure).rejects.toThrow(/settings for oura are invalid.*limits/s);
});
