// The whole system with fake providers to connect to, over HTTP from the link to the last page.
import type { HostOptions } from '../../infra/local/host.ts';
import { type CloudProviderId, cloudProviderIds } from '../../shared/catalog/provider.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import { openPage, redirectLocation } from './connect-steps.ts';
import { type FakeProviderServer, startFakeProvider } from './fake-provider-server.ts';
import type { ApiResponse } from './send-request.ts';
import { type System, startSystem } from './system.ts';

export interface ProviderSystem {
  system: System;
  fakeProvider: FakeProviderServer;
  /** The key of the live environment. */
  key: string;
  sandboxKey: string;
  user(body?: object): Promise<string>;
  get(user: string, path: string): Promise<ApiResponse>;
  /**
   * Goes from the link to the callback as this provider account. Returns the device's id. The data
   * is not fetched yet.
   */
  connect(user: string, provider: CloudProviderId, account: string): Promise<string>;
  /**
   * Returns the link and the URL to which the provider redirects the user, for tests that continue
   * differently. A null account denies access.
   */
  consent(
    user: string,
    provider: CloudProviderId,
    account: string | null,
    more?: object,
  ): Promise<{ device: string; callback: string }>;
  stop(): Promise<void>;
}

export async function startProviderSystem(
  options: Partial<HostOptions> & {
    /** The instant at which the test begins. Defaults to noon on 2026-03-12. */
    startMs?: number;
    only?: readonly CloudProviderId[];
  } = {},
): Promise<ProviderSystem> {
  const { startMs = Date.UTC(2026, 2, 12, 12), only = cloudProviderIds, env = process.env, ...rest } = options;
  const fakeProvider = await startFakeProvider();
  const settings = only.map((id) => [settingNames.provider(id), JSON.stringify(fakeProvider.settings(id))]);
  const system = await startSystem({ ...rest, startMs, env: { ...env, ...Object.fromEntries(settings) } });
  fakeProvider.useClock(system.clock);
  const { live_key: key, sandbox_key: sandboxKey } = await system.account();

  const consent: ProviderSystem['consent'] = async (user, provider, account, more = {}) => {
    const response = await system.call('POST', `/v1/users/${user}/devices`, {
      token: key,
      body: { provider, ...more },
    });
    if (response.status !== 200) throw new Error(`expected a link, got ${response.status}: ${response.text}`);
    const authorize = redirectLocation(await openPage(system, response.body.auth_url));
    return { device: response.body.id, callback: await fakeProvider.consent(authorize, account) };
  };

  return {
    system,
    fakeProvider,
    key,
    sandboxKey,
    user: (body = { timezone: 'UTC' }) => system.user(key, body),
    get: (user, path) => system.call('GET', `/v1/users/${user}/${path}`, { token: key }),
    async connect(user, provider, account) {
      const { device, callback } = await consent(user, provider, account);
      const response = await openPage(system, callback);
      if (response.status >= 400) throw new Error(`the callback returned ${response.status}: ${response.text}`);
      return device;
    },
    consent,
    async stop() {
      await system.stop();
      await fakeProvider.close();
    },
  };
}
