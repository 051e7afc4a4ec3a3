// The whole system with vendors of its own to connect to, over HTTP from the link to the last page.
import type { HostOptions } from '../../infra/local/host.ts';
import { type CloudProviderId, cloudProviderIds } from '../../shared/catalog/provider.ts';
import { settingNames } from '../../shared/platform/settings.ts';
import type { Told } from './ask.ts';
import { locationIn, opened } from './connecting.ts';
import { type System, startSystem } from './system.ts';
import { startVendor, type VendorServer } from './vendor-server.ts';

export interface Connected {
  system: System;
  vendor: VendorServer;
  /** Of the live environment. */
  key: string;
  sandboxKey: string;
  user(body?: object): Promise<string>;
  get(user: string, path: string): Promise<Told>;
  /** From the link to the callback, as this account at the vendor. Returns the device's id; what is to be fetched then is not yet. */
  connect(user: string, provider: CloudProviderId, account: string): Promise<string>;
  /** The link, and where the vendor sends the person back to: for whoever wants to do something else with it. Null refuses. */
  consented(
    user: string,
    provider: CloudProviderId,
    account: string | null,
    more?: object,
  ): Promise<{ device: string; callback: string }>;
  stop(): Promise<void>;
}

export async function startConnected(
  options: Partial<HostOptions> & {
    /** The instant at which the test begins: 2026-03-12, noon, unless told. */
    startMs?: number;
    only?: readonly CloudProviderId[];
  } = {},
): Promise<Connected> {
  const { startMs = Date.UTC(2026, 2, 12, 12), only = cloudProviderIds, env = process.env, ...rest } = options;
  const vendor = await startVendor();
  const settings = only.map((id) => [settingNames.provider(id), JSON.stringify(vendor.settings(id))]);
  const system = await startSystem({ ...rest, startMs, env: { ...env, ...Object.fromEntries(settings) } });
  vendor.follow(system.clock);
  const { live_key: key, sandbox_key: sandboxKey } = await system.account();

  const consented: Connected['consented'] = async (user, provider, account, more = {}) => {
    const asked = await system.call('POST', `/v1/users/${user}/devices`, { token: key, body: { provider, ...more } });
    if (asked.status !== 200) throw new Error(`expected a link, got ${asked.status}: ${asked.text}`);
    const authorize = locationIn(await opened(system, asked.body.auth_url));
    return { device: asked.body.id, callback: await vendor.consent(authorize, account) };
  };

  return {
    system,
    vendor,
    key,
    sandboxKey,
    user: (body = { timezone: 'UTC' }) => system.user(key, body),
    get: (user, path) => system.call('GET', `/v1/users/${user}/${path}`, { token: key }),
    async connect(user, provider, account) {
      const { device, callback } = await consented(user, provider, account);
      const told = await opened(system, callback);
      if (told.status >= 400) throw new Error(`the callback answered ${told.status}: ${told.text}`);
      return device;
    },
    consented,
    async stop() {
      await system.stop();
      await vendor.close();
    },
  };
}
