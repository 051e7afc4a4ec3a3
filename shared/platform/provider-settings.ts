// The credentials that providers issued to a deployment, from its environment: one JSON setting per
// provider.

import { type ProviderSettings, SettingsUnreadable } from './ports.ts';
import { settingNames } from './setting-names.ts';

export const providerSettingsFromEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
): ProviderSettings => ({
  async get(provider) {
    const name = settingNames.provider(provider);
    const text = env[name];
    if (!text) return undefined;
    try {
      const json: unknown = JSON.parse(text);
      return json;
    } catch (cause) {
      throw new SettingsUnreadable(`The setting ${name} is not JSON.`, { cause: errorNameOf(cause) });
    }
  },
});

/** The text contains secrets, and parser errors quote it. */
const errorNameOf = (cause: unknown): string | undefined => (cause instanceof Error ? cause.name : undefined);
